import { readObject } from '../../platform/http/read-object.ts'

/** The coins that most buyers use; asking about all of them would take hundreds of calls. */
const usualCoins = ['btc', 'eth', 'usdttrc20', 'usdterc20', 'usdtbsc', 'ltc', 'trx', 'xrp']

/**
 * Asks for the smallest payment of the usual coins and answers a sentence for each price that lies
 * below: such a buyer would be turned away on the pay page.
 */
export async function checkMinimums(
  provider: { outcomeCoin: string | undefined; get: (path: string) => Promise<unknown> },
  pricesCents: readonly number[],
): Promise<string[]> {
  const offered = await readOfferedCoins(provider.get)
  const minimums = await Promise.all(
    usualCoins
      .filter((coin) => offered === undefined || offered.has(coin))
      .map(async (coin) => ({ coin, usd: await readMinimumUsd(provider, coin) })),
  )
  return pricesCents.flatMap((priceCents) => {
    const tooSmall = minimums.filter(({ usd }) => usd !== undefined && priceCents / 100 < usd)
    if (tooSmall.length === 0) return []
    const coins = tooSmall.map(({ coin, usd }) => `${coin} (from $${usd?.toFixed(2)})`).join(', ')
    return [
      `The package of $${(priceCents / 100).toFixed(2)} can't be paid in ${coins}: the price lies ` +
        `under the provider's minimum${provider.outcomeCoin === undefined ? '' : ` when settled in ${provider.outcomeCoin}`}.`,
    ]
  })
}

async function readOfferedCoins(
  get: (path: string) => Promise<unknown>,
): Promise<Set<string> | undefined> {
  const body = await get('/merchant/coins')
  const coins = readObject(body)['selectedCurrencies']
  if (!Array.isArray(coins)) return undefined
  return new Set(coins.map((coin) => String(coin).toLowerCase()))
}

async function readMinimumUsd(
  provider: { outcomeCoin: string | undefined; get: (path: string) => Promise<unknown> },
  coin: string,
): Promise<number | undefined> {
  const query = new URLSearchParams({
    currency_from: coin,
    ...(provider.outcomeCoin === undefined ? {} : { currency_to: provider.outcomeCoin }),
    fiat_equivalent: 'usd',
  })
  const usd = Number(readObject(await provider.get(`/min-amount?${query}`))['fiat_equivalent'])
  return Number.isFinite(usd) && usd > 0 ? usd : undefined
}
