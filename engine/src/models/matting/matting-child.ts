/**
 * The matting network's own process, forked by `openMattingNetwork`, with the ONNX file as its
 * argument. It answers with the network's matte of everybody in a photo.
 */
import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import sharp from 'sharp'
import type { BytePlane } from '../../image/raster.ts'
import { serveModel } from '../serve-model.ts'
import { checkMattingModel } from './matting-card.ts'
import { makeMattingInput } from './matting-input.ts'
import { readMattingOutput } from './matting-output.ts'
import type { MattingOutput, ThreadReply } from './matting-thread.ts'

// No picture comes twice, and one comes after the other.
sharp.cache(false)
sharp.concurrency(1)

await serveModel(async () => {
  const file = process.argv[2] ?? ''
  const card = await checkMattingModel(file)
  const thread = new Worker(new URL('matting-thread.ts', import.meta.url), {
    workerData: { file, card },
  })
  const ask = async (): Promise<MattingOutput | undefined> => {
    const [reply] = (await once(thread, 'message')) as [ThreadReply]
    if (reply === 'loaded') return undefined
    if ('error' in reply) throw new Error(reply.error)
    return reply
  }
  await ask()
  return async (picture): Promise<BytePlane> => {
    const input = await makeMattingInput(picture, card.input)
    const answered = ask()
    thread.postMessage(input, [input.values.buffer as ArrayBuffer])
    const reply = await answered
    if (reply === undefined) throw new Error('it was loaded twice')
    return readMattingOutput(reply.values, reply.dims, card.output.values)
  }
})
