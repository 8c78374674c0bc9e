import type { SelfieParts } from './parts.ts'
import { AppError } from '../platform/errors/app-error.ts'
import { createFairQueue } from '../platform/http/fair-queue.ts'

/** How long somebody may wait for a picture's PNG to be made. */
const conversionMs = 60_000

/** Reads the PNG of a finished picture. Throws `generation_unknown` when the picture is gone. */
export type ReadPng = (picture: { jpegKey: string; ownerId: string }) => Promise<Uint8Array>

/** The key of the PNG that a finished JPEG is downloaded as. */
export function pngKeyOf(jpegKey: string): string {
  return jpegKey.replace(/\.jpg$/, '.png')
}

/**
 * Makes a picture's PNG at its first download and stores it. One is made at a time on a node, in a
 * fair queue: what waits for the engine, uploads above all, never stands behind a row of downloads.
 */
export function createPngReader({ store, engine }: Pick<SelfieParts, 'store' | 'engine'>): ReadPng {
  const conversions = createFairQueue({ atOnceMax: 1, waitingMax: 100, waitingPerCallerMax: 8 })
  const underWay = new Map<string, Promise<Uint8Array>>()

  async function convert(jpegKey: string): Promise<Uint8Array> {
    const jpeg = await store.get(jpegKey)
    if (jpeg === undefined) throw new AppError('generation_unknown')
    const png = await engine.toPng(jpeg)
    await store.put(pngKeyOf(jpegKey), png, 'image/png')
    // Deleted meanwhile: its PNG shall not outlive it.
    if ((await store.get(jpegKey)) === undefined) await store.delete(pngKeyOf(jpegKey))
    return png
  }

  return async ({ jpegKey, ownerId }) => {
    const kept = await store.get(pngKeyOf(jpegKey))
    if (kept !== undefined) return kept
    const known = underWay.get(jpegKey)
    if (known !== undefined) return known
    const made = conversions
      .run(ownerId, () => convert(jpegKey), AbortSignal.timeout(conversionMs))
      .finally(() => underWay.delete(jpegKey))
    underWay.set(jpegKey, made)
    return made
  }
}
