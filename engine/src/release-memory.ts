import { setImmediate } from 'node:timers/promises'

/** Smaller ones are left to the collector; they may also share a buffer with others. */
const bytesMin = 65_536

/**
 * Gives the memory of large arrays back at once, as the collector, whose heap it isn't in, lets
 * many wait. They are empty afterwards, but for shared memory and parts of a buffer.
 */
export function releaseMemory(...arrays: readonly (ArrayBufferView | undefined)[]): void {
  for (const array of arrays) {
    if (array === undefined || array.byteLength < bytesMin) continue
    const { buffer, byteLength } = array
    if (buffer instanceof ArrayBuffer && buffer.byteLength === byteLength) buffer.transfer(0)
  }
}

/** The same for libvips's memory, which stays taken until the event loop's next turn. */
export async function releaseDecoded(
  ...arrays: readonly (ArrayBufferView | undefined)[]
): Promise<void> {
  releaseMemory(...arrays)
  await setImmediate()
}
