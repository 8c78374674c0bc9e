/** Each step of a selfie's time ends a quarter later than the one before. */
const stepRatio = 1.25

/**
 * A quantile of the times of selfies, in seconds, from their counts by step (step n holds what took
 * up to 1.25^n seconds and longer than the step before). Within a step times are taken as spread
 * evenly on its scale, so the answer is at most a quarter off. Undefined without selfies.
 * @param share such as 0.95
 */
export function selfieTimeQuantile(
  counts: ReadonlyMap<number, number>,
  share: number,
): number | undefined {
  const steps = [...counts].toSorted(([one], [other]) => one - other)
  const total = steps.reduce((sum, [, count]) => sum + count, 0)
  let left = share * total
  for (const [step, count] of steps) {
    if (left <= count) return stepRatio ** (step - 1 + left / count)
    left -= count
  }
  return undefined
}
