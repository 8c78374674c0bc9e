/** Runs `act` alone among those of the same key. */
export type KeyedMutex = <Result>(key: string, act: () => Promise<Result>) => Promise<Result>

/**
 * A mutex for each key, on one node: acts of the same key run one after the other, in the order they
 * came. A count that is read before and written after an act can't be outrun on that node.
 */
export function createKeyedMutex(): KeyedMutex {
  const last = new Map<string, Promise<unknown>>()
  return async (key, act) => {
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
