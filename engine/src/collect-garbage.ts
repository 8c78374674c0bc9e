import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

setFlagsFromString('--expose-gc')

/** Collects this thread's garbage at once, for the memory of arrays, which lies outside of its heap. */
export const collectGarbage = runInNewContext('gc') as (options?: {
  type: 'major' | 'minor'
}) => void
