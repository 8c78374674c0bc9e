import coins from './coin-names.json' with { type: 'json' }

/** What people call a coin, with its network where it has several, as 'USDC (Polygon)' of `usdcmatic`; else the code itself. */
export function coinName(code: string): string {
  const names: Readonly<Record<string, string>> = coins
  return names[code.toUpperCase()] ?? code.toUpperCase()
}
