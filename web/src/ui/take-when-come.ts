/** Hands on what a promise comes to, unless it fails or the returned function was called; for effects. */
export function takeWhenCome<Value>(
  promise: Promise<Value>,
  take: (value: Value) => void,
): () => void {
  let isWanted = true
  promise.then(
    (value) => isWanted && take(value),
    () => undefined,
  )
  return () => {
    isWanted = false
  }
}
