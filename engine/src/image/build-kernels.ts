import { readFile, writeFile } from 'node:fs/promises'
import asc from 'assemblyscript/asc'

/*
 * `node engine/src/image/build-kernels.ts` makes `kernels.wasm` from `kernels.as`. The result
 * is kept with the source, so that nothing has to be compiled where the engine is installed.
 */

const source = new URL('kernels.as', import.meta.url)
export const kernelsFile = new URL('kernels.wasm', import.meta.url)

/** Compiles the kernels; the same source gives the same bytes. */
export async function buildKernels(): Promise<Uint8Array> {
  const text = await readFile(source, 'utf8')
  let built: Uint8Array | undefined
  const options = ['-O3', '--runtime', 'stub', '--noAssert', '--enable', 'simd', '--importMemory']
  // The compiler takes sources of one ending only.
  const { error } = await asc.main(['kernels.ts', ...options, '-o', 'kernels.wasm'], {
    readFile: (name) => (name === 'kernels.ts' ? text : null),
    writeFile(name, contents) {
      if (name === 'kernels.wasm' && typeof contents !== 'string') built = contents
    },
    listFiles: () => [],
  })
  if (error !== null || built === undefined)
    throw new Error('The kernels do not compile', { cause: error })
  return built
}

if (import.meta.main) await writeFile(kernelsFile, await buildKernels())
