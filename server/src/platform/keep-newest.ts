/** Promised values by their keys, each made once: the `valuesMax` asked for last, and none that failed. */
export function keepNewest<Value>(valuesMax = Infinity) {
  const kept = new Map<string, Promise<Value>>()
  return (key: string, make: () => Promise<Value>): Promise<Value> => {
    const value = kept.get(key) ?? make()
    // The newest stand at the end; the oldest go.
    kept.delete(key)
    kept.set(key, value)
    for (const oldest of kept.keys()) {
      if (kept.size <= valuesMax) break
      kept.delete(oldest)
    }
    value.catch(() => kept.delete(key))
    return value
  }
}
