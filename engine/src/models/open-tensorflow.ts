import path from 'node:path'

interface TensorFlowWasm {
  setWasmPaths(folder: string): void
  setThreadsCount(count: number): void
}

/**
 * Opens TensorFlow.js 4.22 on its WebAssembly backend; nothing is fetched. Its packages come by an installation
 * apart, from where `packages` reads; `Core` is the little of it that is used.
 */
export async function openTensorFlow<Core>(packages: NodeJS.Require): Promise<Core> {
  const core = packages('@tensorflow/tfjs-core') as Core & {
    setBackend(name: 'wasm'): Promise<boolean>
  }
  const wasm = packages('@tensorflow/tfjs-backend-wasm') as TensorFlowWasm
  wasm.setWasmPaths(`${path.dirname(packages.resolve('@tensorflow/tfjs-backend-wasm'))}/`)
  // Pictures are made beside it, and those want the cores.
  wasm.setThreadsCount(1)
  if (!(await core.setBackend('wasm'))) throw new Error('WebAssembly does not start')
  return core
}
