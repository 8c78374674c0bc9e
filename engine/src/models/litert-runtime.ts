import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname } from 'node:path'
import { compileFunction } from 'node:vm'
import { isMainThread } from 'node:worker_threads'
import { loadAndCompile, loadLiteRt, Tensor } from '@litertjs/core'
import { readModelFile } from './model-files.ts'
import type { ModelFile } from './model-files.ts'

/** A loaded network. Runs one input at a time; not for use by two callers at once. */
export interface Network {
  /** Shape of the one input, batch first. */
  readonly inputShape: readonly number[]
  /** Runs the network on one interleaved float input and gives copies of all outputs in order. */
  run(input: Float32Array): Promise<Float32Array[]>
  /** Runs two inputs, where others can help. */
  runTwo?(first: Float32Array, second: Float32Array): Promise<[Float32Array[], Float32Array[]]>
}

type ModuleOptions = {
  printErr?: (line: string) => void
  instantiateWasm?: (
    imports: WebAssembly.Imports,
    success: (instance: WebAssembly.Instance, module: WebAssembly.Module) => void,
  ) => object
}

/** What LiteRT's browser-only loader looks for on the global object of a web worker. */
type BrowserWorkerGlobals = {
  self?: unknown
  importScripts?: (path: string) => void
  ModuleFactory?: unknown
  Module?: ModuleOptions | undefined
}

const requireFrom = createRequire(import.meta.url)

/** Folder of LiteRT's WebAssembly builds. */
function wasmFile(name: string): string {
  return requireFrom.resolve(`@litertjs/core/wasm/${name}`)
}

/** Compiles the runtime once for all threads: a WebAssembly.Module travels without a copy. */
export async function compileRuntime(): Promise<WebAssembly.Module> {
  return WebAssembly.compile(readFileSync(wasmFile('litert_wasm_internal.wasm')))
}

let loading: Promise<unknown> | undefined

/** Starts LiteRT in a worker, not the main thread, with the browser globals its loader reads. */
export function startRuntime(runtime: WebAssembly.Module): Promise<unknown> {
  if (isMainThread) throw new Error('LiteRT changes globals, so it runs in worker threads only')
  loading ??= load(runtime)
  return loading
}

async function load(runtime: WebAssembly.Module): Promise<unknown> {
  const globals = globalThis as BrowserWorkerGlobals
  globals.self = globalThis
  globals.importScripts = (path) => {
    const code = readFileSync(path, 'utf8')
    const wrapper = compileFunction(
      `${code}\nreturn ModuleFactory`,
      ['require', '__filename', '__dirname'],
      { filename: path },
    ) as (require: NodeJS.Require, filename: string, folder: string) => unknown
    globals.ModuleFactory = wrapper(requireFrom, path, dirname(path))
  }
  globals.Module = {
    printErr(line) {
      // It also reports every normal step there.
      if (!/^(INFO|WARNING|VERBOSE):/.test(line)) console.error(line)
    },
    instantiateWasm(imports, success) {
      void WebAssembly.instantiate(runtime, imports).then((instance) => success(instance, runtime))
      return {}
    },
  }
  // LiteRT warns at every start that there is no WebGPU device; here there never is one.
  const warn = console.warn
  console.warn = () => {}
  try {
    return await loadLiteRt(wasmFile('litert_wasm_internal.js'))
  } finally {
    console.warn = warn
  }
}

/** Loads a network into the started runtime. */
export async function loadNetwork(file: ModelFile): Promise<Network> {
  const model = await loadAndCompile(await readModelFile(file), { accelerator: 'wasm' })
  const inputShape = [...(model.getInputDetails()[0]?.shape ?? [])]
  return {
    inputShape,
    async run(input) {
      const tensor = new Tensor(input, inputShape)
      try {
        const outputs = await model.run([tensor])
        const copies: Float32Array[] = []
        for (const output of outputs) {
          copies.push((await output.data()) as Float32Array)
          output.delete()
        }
        return copies
      } finally {
        tensor.delete()
      }
    },
  }
}
