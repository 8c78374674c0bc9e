import { expect, test } from 'vitest'
import { openTensorFlow } from './open-tensorflow.ts'

test('TensorFlow.js runs on WebAssembly of its own package, on one thread', async () => {
  const set: unknown[] = []
  const core = { setBackend: async (name: string) => set.push(name) === 3 }
  const wasm = {
    setWasmPaths: (folder: string) => set.push(folder),
    setThreadsCount: (count: number) => set.push(count),
  }
  const packages = (name: string): unknown => (name.endsWith('-core') ? core : wasm)
  const resolve = () => '/packages/wasm/main.js'
  const from = Object.assign(packages, { resolve }) as unknown as NodeJS.Require
  expect(await openTensorFlow(from)).toBe(core)
  expect(set).toEqual(['/packages/wasm/', 1, 'wasm'])
  await expect(openTensorFlow(from)).rejects.toThrow('WebAssembly does not start')
})
