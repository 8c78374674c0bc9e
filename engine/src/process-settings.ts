import { fileURLToPath } from 'node:url'

/** How the engine's process is started, and that of measurements, so that they tell the same. */
export const processFlags: readonly string[] = [
  '--disable-warning=ExperimentalWarning',
  // Pictures lie outside of the heap, so neither a large nursery nor many helpers pay. With a second
  // one loops that have just become hot don't wait behind a long compilation.
  '--max-semi-space-size=1',
  // A heap so small is searched at once; in steps it took a tenth of a picture's work.
  '--no-incremental-marking',
  '--v8-pool-size=2',
  // The thorough compiler only for what is hot over several pictures: beside the first one it took
  // a second of both cores for loops that the quick compiler makes nearly as fast.
  '--invocation-count-for-turbofan=20000',
  '--no-osr-from-maglev',
  // At the default LiteRT's code for loading models is optimised too, which takes most of a second
  // and 43 MB for a single function that is never hot again; its loops are optimised even so.
  '--wasm-tiering-budget=300000000',
  // And only a small part of it ever runs: a function is checked when it first does.
  '--wasm-lazy-validation',
]

/** glibc's allocator: one arena; from 64 KiB on memory comes in large pages and is returned when it is freed. */
export const allocatorSettings: Readonly<Record<string, string>> = {
  MALLOC_ARENA_MAX: '1',
  MALLOC_TRIM_THRESHOLD_: '65536',
  MALLOC_MMAP_THRESHOLD_: '65536',
  GLIBC_TUNABLES: 'glibc.malloc.hugetlb=1',
}

/**
 * Where Node keeps what it has compiled, unless `NODE_COMPILE_CACHE` names another folder. In the
 * project, as whoever may write there may change the sources themselves.
 */
export const compileCacheFolder: string = fileURLToPath(
  new URL('../../.cache/compile', import.meta.url),
)
