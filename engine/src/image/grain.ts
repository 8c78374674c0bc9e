const tableSize = 1 << 16

/** Noise of standard deviation 1 (four uniform numbers), the same at every run. */
export const grainTable: Float32Array = (() => {
  const noise = new Float32Array(tableSize)
  let state = 0x9e3779b9
  const next = (): number => {
    // xorshift32 (Marsaglia 2003)
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    return (state >>> 0) / 0xffffffff - 0.5
  }
  for (let i = 0; i < tableSize; i++) noise[i] = (next() + next() + next() + next()) * 1.732
  return noise
})()
