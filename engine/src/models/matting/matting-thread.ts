/**
 * The thread of the matting network's process that runs it: onnxruntime-node blocks its thread while
 * it works, and the process must go on reporting its memory.
 */
import { readFile } from 'node:fs/promises'
import os from 'node:os'
import { parentPort, workerData } from 'node:worker_threads'
import type { MattingCard } from './matting-card.ts'
import { requireOnnxRuntime, wordsOf } from './matting-card.ts'
import type { MattingInput } from './matting-input.ts'
import type { OnnxRuntime, OnnxSession } from './onnx-runtime.ts'

/** What the network answers to an input. */
export interface MattingOutput {
  values: Float32Array
  dims: readonly number[]
}

/** What the thread says: once when the network is loaded, then for each input. */
export type ThreadReply = MattingOutput | { error: string } | 'loaded'

const port = parentPort!
const { file, card } = workerData as { file: string; card: MattingCard }
const runtime = requireOnnxRuntime() as OnnxRuntime

async function load(): Promise<OnnxSession> {
  const session = await runtime.InferenceSession.create(await readFile(file), {
    executionProviders: ['cpu'],
    // Pictures are made beside it, and those want the cores.
    intraOpNumThreads: Math.max(1, os.availableParallelism() >> 1),
    interOpNumThreads: 1,
    // What it took for a picture goes back to the system.
    enableCpuMemArena: false,
    logSeverityLevel: 4,
  })
  if (!session.inputNames.includes(card.input.name)) {
    throw new Error(`the network has the inputs ${session.inputNames.join(', ')}`)
  }
  if (!session.outputNames.includes(card.output.name)) {
    throw new Error(`the network has the outputs ${session.outputNames.join(', ')}`)
  }
  return session
}

async function run(session: OnnxSession, input: MattingInput): Promise<ThreadReply> {
  const { values, width, height } = input
  const tensor = new runtime.Tensor('float32', values, [1, 3, height, width])
  const outputs = await session.run({ [card.input.name]: tensor }, [card.output.name])
  const output = outputs[card.output.name]
  if (!(output?.data instanceof Float32Array)) {
    return { error: `it answers ${output?.type ?? 'nothing'}; wanted is float32` }
  }
  return { values: output.data, dims: output.dims }
}

load().then(
  (session) => {
    port.on('message', (input: MattingInput) => {
      run(session, input).then(
        (reply) => port.postMessage(reply),
        (error: unknown) => port.postMessage({ error: wordsOf(error) } satisfies ThreadReply),
      )
    })
    port.postMessage('loaded' satisfies ThreadReply)
  },
  (error: unknown) => port.postMessage({ error: wordsOf(error) } satisfies ThreadReply),
)
