import { readFile, writeFile } from 'node:fs/promises'
import asc from 'assemblyscript/asc'

/*
 * `node engine/src/image/build-kernels.ts` makes `kernels.wasm` and its types from `kernels.as`. The
 * result is kept with the source, so that nothing has to be compiled where the engine is installed.
 */

const fileOf = (name: string) => new URL(name, import.meta.url)

/** Compiles the kernels; the same source gives the same bytes. What is made, by the file's name. */
export async function buildKernels(): Promise<Map<string, Buffer>> {
  const text = await readFile(fileOf('kernels.as'), 'utf8')
  const built = new Map<string, Buffer>()
  const options =
    '-O3 --runtime stub --noAssert --enable simd --enable relaxed-simd --importMemory --bindings raw'
  // The compiler takes sources of one ending only.
  const { error } = await asc.main(['kernels.ts', ...options.split(' '), '-o', 'kernels.wasm'], {
    readFile: (name) => (name === 'kernels.ts' ? text : null),
    writeFile(name, contents) {
      const file = name === 'kernels.d.ts' ? 'kernel-exports.d.ts' : name
      if (name !== 'kernels.js') built.set(file, Buffer.from(contents))
    },
    listFiles: () => [],
  })
  if (error !== null) throw new Error('The kernels do not compile', { cause: error })
  return built
}

if (import.meta.main) {
  for (const [name, contents] of await buildKernels()) await writeFile(fileOf(name), contents)
}
