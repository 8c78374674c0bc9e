import { setImmediate } from 'node:timers/promises'

/** Smaller ones are left to the collector; they may also share a buffer with others. */
const bytesMin = 65_536

/**
 * Gives the memory of large arrays back at once. It lies outside of the collector's heap, so the
 * collector would let many of them wait. The arrays are empty afterwards; those that only see a
 * part of their buffer, or memory shared by threads, are left as they are.
 */
export function releaseMemory(...arrays: readonly (ArrayBufferView | undefined)[]): void {
  for (const array of arrays) {
    if (array === undefined || array.byteLength < bytesMin) continue
    const { buffer, byteLength } = array
    if (buffer instanceof ArrayBuffer && buffer.byteLength === byteLength) buffer.transfer(0)
  }
}

/**
 * The same for what libvips has made, which the event loop frees: until its next turn the memory is
 * still taken.
 */
export async function releaseDecoded(
  ...arrays: readonly (ArrayBufferView | undefined)[]
): Promise<void> {
  releaseMemory(...arrays)
  await setImmediate()
}
