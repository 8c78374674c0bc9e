/** How many rounds of chance a test makes: `usual`, or as many as `ROUNDS` says for a long run. */
export function roundsOr(usual: number): number {
  return Number(process.env['ROUNDS'] ?? usual)
}
