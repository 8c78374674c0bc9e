import os from 'node:os'
import type { NormalisedPhoto } from '../../image-provider.ts'
import type { BytePlane } from '../../image/raster.ts'
import { createModelProcess } from '../model-process.ts'
import type { ModelProcessOptions } from '../model-process.ts'
import { wordsOf } from './matting-card.ts'

/** The operator's matting network. Its process starts with the first photo. */
export interface MattingNetwork {
  /**
   * The network's matte of everybody in a photo, in a size of its own; undefined where it fails:
   * pictures are then made without it.
   * @throws the signal's reason, nothing else
   */
  matte(photo: NormalisedPhoto, signal?: AbortSignal): Promise<BytePlane | undefined>
  /** The most resident memory of its process so far. */
  readonly residentBytesMost: number
  close(): void
}

export interface MattingNetworkOptions {
  /** The ONNX file; its card lies beside it. */
  file: string
  /**
   * Called when it fails, with a sentence for the operator, and with undefined when it works: only
   * when that is another than the last time.
   */
  onFault?: ((fault: string | undefined) => void) | undefined
  /** How long it isn't asked after a failure. */
  pauseMs?: number | undefined
  now?: (() => number) | undefined
  /** How its process is bounded; tests swap it. */
  process?: Partial<ModelProcessOptions> | undefined
}

const gibibyte = 1024 ** 3

/** What a process of a matting network may take; large networks need some seconds and gibibytes. */
export const mattingLimits = {
  startLimitMs: 60_000,
  timeLimitMs: 30_000,
  memoryLimitBytes: Math.min(6 * gibibyte, os.totalmem() / 2),
}

/** Opens the operator's matting network, in a process of its own. */
export function openMattingNetwork({
  file,
  onFault,
  pauseMs = 600_000,
  now = Date.now,
  process: processOptions,
}: MattingNetworkOptions): MattingNetwork {
  const model = createModelProcess<BytePlane>({
    name: 'the matting network',
    processFile: new URL('matting-child.ts', import.meta.url),
    processArguments: [file],
    ...mattingLimits,
    ...processOptions,
  })
  let pausedUntil = -Infinity
  let last: { fault: string | undefined } | undefined
  const report = (fault: string | undefined): void => {
    if (last?.fault === fault && last !== undefined) return
    last = { fault }
    onFault?.(fault)
  }
  return {
    async matte(photo, signal) {
      // A photo with a matte of its own needs no other.
      if (photo.hasMatte || now() < pausedUntil) return undefined
      try {
        const matte = await model.ask(photo.bytes, signal)
        report(undefined)
        return matte
      } catch (error) {
        signal?.throwIfAborted()
        pausedUntil = now() + pauseMs
        report(wordsOf(error))
        return undefined
      }
    },
    get residentBytesMost() {
      return model.residentBytesMost
    },
    close: () => model.close(),
  }
}
