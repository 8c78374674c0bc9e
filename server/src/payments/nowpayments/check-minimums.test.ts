import { expect, test } from 'vitest'
import { checkMinimums } from './nowpayments-provider.ts'

/** A provider that offers these coins, with their minimums in dollars. */
function check(
  minimums: Record<string, unknown>,
  options: { pricesCents?: number[]; outcomeCoin?: string; offered?: unknown } = {},
) {
  const asked: string[] = []
  const get = async (path: string) => {
    asked.push(path)
    if (path === '/merchant/coins') return { selectedCurrencies: options.offered }
    const coin = new URL(path, 'https://api.example').searchParams.get('currency_from') ?? ''
    return { fiat_equivalent: minimums[coin] }
  }
  const { outcomeCoin, pricesCents = [1000] } = options
  return { asked, told: checkMinimums({ outcomeCoin, get }, pricesCents) }
}

test('a price under a coin’s minimum is told with the coins and what they begin at', async () => {
  const { told } = check({ btc: 12.5, eth: '10.01', ltc: 10 }, { pricesCents: [1000, 2000] })
  expect(await told).toEqual([
    "The package of $10.00 can't be paid in btc (from $12.50), eth (from $10.01): the price lies " +
      "under the provider's minimum.",
  ])
})

test('the coin that it is settled in is asked for and named', async () => {
  const { told, asked } = check({ btc: 50 }, { outcomeCoin: 'usdtbsc' })
  expect((await told)[0]).toMatch(/minimum when settled in usdtbsc\.$/)
  expect(asked).toContain('/min-amount?currency_from=btc&currency_to=usdtbsc&fiat_equivalent=usd')
})

test('only coins that the merchant offers are asked for', async () => {
  const { told, asked } = check({ btc: 50, eth: 50 }, { offered: ['BTC', 'doge'] })
  expect(await told).toEqual([expect.stringContaining('in btc (from $50.00):')])
  expect(asked).toEqual(['/merchant/coins', '/min-amount?currency_from=btc&fiat_equivalent=usd'])
})

test('without a list of offered coins all usual ones are asked for', async () => {
  const { told, asked } = check({}, { offered: 'all' })
  expect(await told).toEqual([])
  expect(asked.slice(1).map((path) => /currency_from=(\w+)/.exec(path)?.[1])).toEqual([
    'btc',
    'eth',
    'usdttrc20',
    'usdterc20',
    'usdtbsc',
    'ltc',
    'trx',
    'xrp',
  ])
})

test('a minimum that is no amount counts as none', async () => {
  for (const minimum of [undefined, 'much', Number.POSITIVE_INFINITY, -1]) {
    expect(await check({ btc: minimum }, { pricesCents: [0, 1] }).told).toEqual([])
  }
})
