/** A coin that the gateway takes, with a fixed test rate. */
export interface Coin {
  /** Lower-case code as the API spells it, network included: `usdttrc20`. */
  code: string
  name: string
  network: string
  ticker: string
  /** US dollars for one coin: a made-up, constant rate. */
  usd: number
  /** Decimal places of an amount. */
  precision: number
  /** The smallest payment in US dollars that the route to the same coin takes. */
  minUsd: number
  isStable: boolean
  /** The name of the memo or tag that a deposit must carry, if its network has one. */
  extraIdName: string | null
  /** Start of an address, and the length and alphabet of what follows. */
  address: { prefix: string; length: number; alphabet: string }
}

const hex = '0123456789abcdef'
const base58 = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'
const bech32 = '023456789acdefghjklmnpqrstuvwxyz'
const evm = { prefix: '0x', length: 40, alphabet: hex }
const tron = { prefix: 'T', length: 33, alphabet: base58 }

function coin(
  code: string,
  name: string,
  network: string,
  more: Pick<Coin, 'usd' | 'minUsd' | 'address'> & Partial<Coin>,
): Coin {
  return {
    code,
    name,
    network,
    ticker: code,
    precision: 8,
    isStable: false,
    extraIdName: null,
    ...more,
  }
}

const stable = { precision: 6, isStable: true }

/** The coins of the sandbox. The minimums have the order of size that live routes showed. */
export const coins: readonly Coin[] = [
  coin('btc', 'Bitcoin', 'btc', {
    usd: 92_000,
    minUsd: 3.4,
    address: { prefix: 'bc1q', length: 38, alphabet: bech32 },
  }),
  coin('eth', 'Ethereum', 'eth', { usd: 3_100, minUsd: 2.1, address: evm }),
  coin('usdttrc20', 'Tether USD (Tron)', 'trx', {
    usd: 1,
    minUsd: 11.41,
    address: tron,
    ticker: 'usdt',
    ...stable,
  }),
  coin('usdtbsc', 'Tether USD (BNB Smart Chain)', 'bsc', {
    usd: 1,
    minUsd: 0.6,
    address: evm,
    ticker: 'usdt',
    ...stable,
  }),
  coin('usdcmatic', 'USD Coin (Polygon)', 'matic', {
    usd: 1,
    minUsd: 0.4,
    address: evm,
    ticker: 'usdc',
    ...stable,
  }),
  coin('bnbbsc', 'BNB', 'bsc', { usd: 890, minUsd: 1.2, address: evm, ticker: 'bnb' }),
  coin('sol', 'Solana', 'sol', {
    usd: 140,
    minUsd: 1.1,
    address: { prefix: '', length: 44, alphabet: base58 },
  }),
  coin('xrp', 'XRP', 'xrp', {
    usd: 2.2,
    minUsd: 1.9,
    address: { prefix: 'r', length: 33, alphabet: base58 },
    precision: 6,
    extraIdName: 'Destination tag',
  }),
  coin('ltc', 'Litecoin', 'ltc', {
    usd: 95,
    minUsd: 0.9,
    address: { prefix: 'ltc1q', length: 38, alphabet: bech32 },
  }),
  coin('doge', 'Dogecoin', 'doge', {
    usd: 0.16,
    minUsd: 1.5,
    address: { prefix: 'D', length: 33, alphabet: base58 },
  }),
  coin('trx', 'Tron', 'trx', { usd: 0.28, minUsd: 1.3, address: tron, precision: 6 }),
  coin('matic', 'Polygon', 'matic', { usd: 0.2, minUsd: 0.4, address: evm }),
  coin('xmr', 'Monero', 'xmr', {
    usd: 390,
    minUsd: 2.4,
    address: { prefix: '4', length: 94, alphabet: base58 },
  }),
]

const byCode = new Map(coins.map((known) => [known.code, known]))

/** The coin with this code, in any case of letters. */
export function findCoin(code: string): Coin | undefined {
  return byCode.get(code.toLowerCase())
}

/** US dollars for one unit of a coin or of `usd` itself; undefined for an unknown currency. */
export function usdRate(currency: string): number | undefined {
  return currency.toLowerCase() === 'usd' ? 1 : findCoin(currency)?.usd
}

/** `amount` rounded to the decimal places of `code` (2 for fiat money). */
export function roundTo(code: string, amount: number): number {
  return Number(amount.toFixed(findCoin(code)?.precision ?? 2))
}

/** The smallest payment in US dollars for paying in `from` when the merchant is settled in `to`. */
export function minimumUsd(from: Coin, to: Coin): number {
  return Math.max(from.minUsd, to.minUsd)
}
