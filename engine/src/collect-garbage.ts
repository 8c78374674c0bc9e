import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

setFlagsFromString('--expose-gc')

/** Collects this thread's garbage at once, for the memory of arrays, which lies outside of its heap. */
export const collectGarbage = runInNewContext('gc') as (options?: {
  type: 'major' | 'minor'
}) => void

/** So many bytes of arrays more than there were after the last collection are worth the next. */
const worthBytes = 4_000_000
/** By then a call's answer is on its way. */
const delayMs = 100

/**
 * Gives what collects, while nobody waits, the garbage that finished calls leave in this thread: photos
 * and files lie outside of the heap, so that the collector by itself lets tens of megabytes of them stand.
 */
export function createCollection(): () => void {
  let isPlanned = false
  let fewestBytes = Infinity
  const collect = (): void => {
    isPlanned = false
    const { arrayBuffers } = process.memoryUsage()
    fewestBytes = Math.min(fewestBytes, arrayBuffers)
    if (arrayBuffers - fewestBytes < worthBytes) return
    collectGarbage()
    // What is left is known the next time, as arrays are freed beside.
    fewestBytes = Infinity
  }
  return () => {
    if (!isPlanned) setTimeout(collect, delayMs).unref()
    isPlanned = true
  }
}
