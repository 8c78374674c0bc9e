import { readFileSync } from 'node:fs'
import type { instantiate } from './kernel-exports.d.ts'

/**
 * The inner loops in WebAssembly SIMD: `kernels.as` by `build-kernels.ts`, which says what each
 * does. Arguments are byte offsets from a `KernelArena`, or counts.
 */
export type Kernels = Awaited<ReturnType<typeof instantiate>>

const pageBytes = 65_536
/** Kernels may write so far behind the end of what they were given. */
const slackBytes = 32

const memory = new WebAssembly.Memory({ initial: 1 })
const code = new WebAssembly.Module(readFileSync(new URL('kernels.wasm', import.meta.url)))

/** Instantiated once in each thread. */
export const kernels = new WebAssembly.Instance(code, { env: { memory } })
  .exports as unknown as Kernels

/** A bump allocator over the kernels' memory; places are byte offsets in it. */
export interface KernelArena {
  /** Reserves bytes, at a multiple of 16; what stands there is left over from earlier. */
  allocate(bytes: number): number
  /** Copies data in. */
  copyIn(data: Uint8Array | Float32Array | Float64Array | Int32Array): number
  /** The memory itself, until the next `allocate`, `copyIn` or `openArena`. */
  bytes(at: number, length: number): Uint8Array
  floats(at: number, length: number): Float32Array
}

/** Empties the kernels' memory for the next use; there is one use at a time in a thread. */
export function openArena(): KernelArena {
  let end = 0
  const allocate = (bytes: number): number => {
    const at = end
    end = (end + bytes + slackBytes + 15) & ~15
    const missing = end - memory.buffer.byteLength
    if (missing > 0) memory.grow(Math.ceil(missing / pageBytes))
    return at
  }
  const bytes = (at: number, length: number): Uint8Array =>
    new Uint8Array(memory.buffer, at, length)
  return {
    allocate,
    copyIn(data) {
      const at = allocate(data.byteLength)
      bytes(at, data.byteLength).set(new Uint8Array(data.buffer, data.byteOffset, data.byteLength))
      return at
    },
    bytes,
    floats: (at, length) => new Float32Array(memory.buffer, at, length),
  }
}
