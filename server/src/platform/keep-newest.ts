/** Values by their keys, each made once: the `valuesMax` asked for last, and no promise that failed. */
export function keepNewest<Value>(valuesMax = Infinity) {
  const kept = new Map<string, Value>()
  return (key: string, make: () => Value): Value => {
    const value = kept.get(key) ?? make()
    // The newest stand at the end; the oldest go.
    kept.delete(key)
    kept.set(key, value)
    for (const oldest of kept.keys()) {
      if (kept.size <= valuesMax) break
      kept.delete(oldest)
    }
    if (value instanceof Promise) value.catch(() => kept.delete(key))
    return value
  }
}
