/** Hands on what a promise comes to, unless it fails or the function that this gives was called. */
export function takeWhenCome<Value>(
  promise: Promise<Value>,
  take: (value: Value) => void,
): () => void {
  let isWanted = true
  promise.then(
    (value) => isWanted && take(value),
    () => undefined,
  )
  return () => void (isWanted = false)
}
