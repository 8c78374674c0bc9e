import { expect, test } from 'vitest'
import { coinName } from './coin-names.ts'
import { isFinal, isOpen, orderStatuses } from './order-statuses.ts'
import { pricePerCreditText, priceText } from './packages.ts'
import { isTestMoney } from './payment-providers.ts'

test('a price has cents where it has any', () => {
  expect([1000, 1990, 1905, 50, 100_000].map(priceText)).toEqual([
    '10',
    '19.90',
    '19.05',
    '0.50',
    '1000',
  ])
})

test('the price of a credit has three decimals', () => {
  expect(pricePerCreditText({ priceCents: 1000, credits: 100 })).toBe('0.100')
  expect(pricePerCreditText({ priceCents: 1000, credits: 300 })).toBe('0.033')
  expect(pricePerCreditText({ priceCents: 1990, credits: 200 }), 'a half less').toBe('0.099')
  expect(pricePerCreditText({ priceCents: 1991, credits: 200 })).toBe('0.100')
})

test('coins are called by their names, whatever the case of their code, others by it in capitals', () => {
  expect([coinName('BTC'), coinName('btc')]).toEqual(['Bitcoin', 'Bitcoin'])
  expect(coinName('usdcmatic')).toBe('USDC (Polygon)')
  expect(coinName('NoSuchCoin')).toBe('NOSUCHCOIN')
})

test('an order waits for its payment or has ended; a status of later may still change', () => {
  expect(orderStatuses.filter(isOpen)).toEqual(['initiated', 'pending', 'processing'])
  expect(orderStatuses.filter(isFinal)).toEqual(['completed', 'failed', 'cancelled', 'expired'])
  expect([isOpen('of later'), isFinal('of later')]).toEqual([false, false])
})

test('no real money moves in the sandbox alone', () => {
  expect((['sandbox', 'nowpayments', 'btcpay'] as const).map(isTestMoney)).toEqual([
    true,
    false,
    false,
  ])
})
