/**
 * An engine process for the host's tests. What it does with an upload is set by the upload itself,
 * as JSON; what it does with a selfie, by the prompt.
 */
import { setTimeout as wait } from 'node:timers/promises'
import { LayersError } from '../compositor/layers/layers-error.ts'
import type { Engine, Selfie, SelfieInput } from '../engine-calls.ts'
import type { NormalisedPhoto } from '../image-provider.ts'
import { PhotoError } from '../photo/photo-error.ts'
import { PictureError } from '../photo/picture-error.ts'
import { serveEngine } from '../serve-engine.ts'

/** What an upload may ask of the stand-in. */
export type StandInCommand =
  | { act: 'echo'; afterMs?: number }
  | { act: 'refuse' }
  | { act: 'fail' }
  | { act: 'exit' }
  | { act: 'hang' }
  | { act: 'bloat' }
  | { act: 'report-environment' }
  | { act: 'report-counts' }

const counts = { running: 0, runningMost: 0, started: 0, aborted: 0 }
const ballast: Uint8Array[] = []

const standIn: Engine = {
  async normalise(upload) {
    const text = Buffer.from(upload).toString()
    // Made by the tests beside this file, which are typed by `StandInCommand`.
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    return await execute(JSON.parse(text) as StandInCommand, upload)
  },
  async inspect() {
    throw new PhotoError('face_cut', 'user')
  },
  async cropFaces() {
    throw new Error('not scripted')
  },
  async admit() {
    throw new PhotoError('face_cut', 'user')
  },
  async prepare() {
    throw new Error('not scripted')
  },
  async forgetPhotos() {},
  async makeSelfie(request, { signal, onStage } = {}) {
    counts.running++
    counts.runningMost = Math.max(counts.runningMost, counts.running)
    const order = counts.started++
    try {
      onStage?.('faces')
      onStage?.('blend')
      await wait(Number(request.prompt), undefined, { signal })
      return selfie(request, order)
    } catch (error) {
      counts.aborted++
      throw error
    } finally {
      counts.running--
    }
  },
  async makeSheet() {
    throw new Error('not scripted')
  },
  async moreVariations() {
    throw new Error('not scripted')
  },
  async renderVariation() {
    throw new LayersError('arrangement_unfit')
  },
  async previewVariation() {
    throw new Error('not scripted')
  },
  async developPicture() {
    throw new Error('not scripted')
  },
  async developPreviews() {
    throw new Error('not scripted')
  },
  async fitPhoto(fit) {
    return fit.photo
  },
  async makePresetFiles() {
    throw new PhotoError('face_missing')
  },
  async finishProviderPicture() {
    throw new PictureError('faces_missing')
  },
  async toPng(jpeg) {
    return jpeg
  },
  async sign({ bytes }) {
    return bytes
  },
  async makeLogo() {
    throw new Error('not scripted')
  },
  async examine() {
    throw new Error('not scripted')
  },
  async close() {},
}

async function execute(order: StandInCommand, upload: Uint8Array): Promise<NormalisedPhoto> {
  switch (order.act) {
    case 'echo':
      await wait(order.afterMs ?? 0)
      return photo(upload)
    case 'refuse':
      throw new PhotoError('photo_blurred', 'star')
    case 'fail':
      throw new RangeError('the stand-in failed')
    case 'exit':
      process.stderr.write('last words')
      process.exit(7)
      break
    case 'hang':
      return await new Promise(() => {})
    case 'bloat':
      for (;;) {
        ballast.push(new Uint8Array(16 * 1024 * 1024).fill(1))
        await wait(20)
      }
    case 'report-environment':
      return photo(Buffer.from(JSON.stringify(process.env)))
    case 'report-counts':
      return photo(Buffer.from(JSON.stringify(counts)))
  }
}

function photo(bytes: Uint8Array): NormalisedPhoto {
  return { bytes, mediaType: 'image/jpeg', widthPx: 1, heightPx: 1, hasMatte: false }
}

function selfie(request: Pick<SelfieInput, 'userPhoto'>, order: number): Selfie {
  const { bytes } = request.userPhoto
  return {
    clean: bytes,
    watermarked: bytes,
    cleanThumbnail: bytes,
    watermarkedThumbnail: bytes,
    fingerprint: { upright: '0000000000000000', mirrored: '0000000000000000' },
    widthPx: order,
    heightPx: process.pid,
    provider: 'stand-in',
    model: 'stand-in',
  }
}

serveEngine(() => standIn)
