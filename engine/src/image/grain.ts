const tableSize = 1 << 16

/**
 * Noise of standard deviation 1 (sum of four uniform numbers), the same at every run, so that the
 * same photos give the same picture. Neighbours are joined a little, as a sensor's noise is after
 * the camera's own filtering.
 */
export const grainTable: Float32Array = (() => {
  const white = new Float32Array(tableSize)
  let state = 0x9e3779b9
  const next = (): number => {
    // xorshift32 (Marsaglia 2003)
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    return (state >>> 0) / 0xffffffff - 0.5
  }
  for (let i = 0; i < tableSize; i++) white[i] = (next() + next() + next() + next()) * 1.732
  const joined = new Float32Array(tableSize)
  for (let i = 0; i < tableSize; i++) {
    joined[i] = white[i]! * 0.85 + white[(i + 1) % tableSize]! * 0.53
  }
  return joined
})()
