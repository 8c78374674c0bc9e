import coins from './coin-names.json' with { type: 'json' }

const names: Readonly<Record<string, string>> = coins

/** What people call a coin, as 'Bitcoin' of `BTC` or `btc`; the code itself where no name is known. */
export function coinName(code: string): string {
  return names[code.toUpperCase()] ?? code
}
