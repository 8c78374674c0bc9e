export const accounts = 20_000
export const clients = 32

export function randomUser(): number {
  return 1 + Math.floor(Math.random() * accounts)
}

/** The id of the n-th user, in SQL. */
export function userExpression(n: string): string {
  return `('00000000-0000-4000-8000-' || lpad(to_hex((${n})::bigint), 12, '0'))::uuid`
}

export function userId(n: number): string {
  return `00000000-0000-4000-8000-${n.toString(16).padStart(12, '0')}`
}

export function holdRequest(user: number) {
  return {
    userId: userId(user),
    amount: 1,
    description: 'Photo generation',
    reference: crypto.randomUUID(),
    now: new Date(),
  }
}
