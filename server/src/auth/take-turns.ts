/**
 * Runs acts of the same key one after the other, in the order they came; those of other keys beside
 * them. On one node: a count that is read before and written after an act can't be outrun on it.
 */
export function createTurns() {
  const last = new Map<string, Promise<unknown>>()
  return async function inTurn<Result>(key: string, act: () => Promise<Result>): Promise<Result> {
    const before = last.get(key) ?? Promise.resolve()
    const mine = before.then(act, act)
    last.set(key, mine)
    try {
      return await mine
    } finally {
      if (last.get(key) === mine) last.delete(key)
    }
  }
}
