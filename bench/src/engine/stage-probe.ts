import { Worker } from 'node:worker_threads'
import type { LayoutSubject } from '@starside/engine/compositor/layout/layout-subject.ts'
import type { HeadMeasure } from '@starside/engine/compositor/faces/measure-head.ts'
import type { BytePlane, RgbImage } from '@starside/engine/image/raster.ts'
import type { NormalisedPhoto } from '@starside/engine/image-provider.ts'
import { compileRuntime } from '@starside/engine/models/litert-runtime.ts'

export type ProbeRequest =
  | { kind: 'heads'; image: RgbImage }
  | { kind: 'subject'; photo: NormalisedPhoto }
  | { kind: 'matte'; photo: NormalisedPhoto }

export interface ProbeResult {
  heads?: HeadMeasure[]
  subject?: LayoutSubject
  alpha?: BytePlane
}

export type ProbeAnswer = { id: number; result: ProbeResult } | { id: number; error: Error }

/** Asks single stages of the compositor; an empty result where a photo has no face. */
export interface StageProbe {
  ask(question: ProbeRequest): Promise<ProbeResult>
  close(): Promise<void>
}

export async function openStageProbe(): Promise<StageProbe> {
  const worker = new Worker(new URL('./stage-probe-thread.ts', import.meta.url), {
    workerData: { runtime: await compileRuntime() },
  })
  const waiting = new Map<number, (answer: ProbeAnswer) => void>()
  let lastId = 0
  worker.on('message', (answer: ProbeAnswer) => {
    waiting.get(answer.id)?.(answer)
    waiting.delete(answer.id)
  })
  const failed = new Promise<never>((_, reject) => worker.on('error', reject))
  failed.catch(() => {})
  return {
    ask(question) {
      const id = ++lastId
      const answered = new Promise<ProbeResult>((resolve, reject) => {
        waiting.set(id, (answer) =>
          'error' in answer ? reject(answer.error) : resolve(answer.result),
        )
      })
      worker.postMessage({ id, question })
      return Promise.race([answered, failed])
    },
    async close() {
      await worker.terminate()
    },
  }
}
