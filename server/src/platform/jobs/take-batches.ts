/** Many more than any backlog needs: a batch that never ends doesn't keep its job for ever. */
const batchesMax = 10_000

/** Takes batches of at most `size`, none twice, until one isn't full or the job is to end. */
export async function takeBatches(
  signal: AbortSignal,
  size: number,
  take: (size: number) => Promise<number>,
): Promise<void> {
  for (let batch = 0; batch < batchesMax && !signal.aborted; batch += 1) {
    if ((await take(size)) < size) return
  }
}
