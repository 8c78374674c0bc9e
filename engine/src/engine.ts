import { flushCompileCache } from 'node:module'
import sharp from 'sharp'
import type { Compositor } from './compositor/compositor.ts'
import { finishSelfie } from './finish/finish-selfie.ts'
import type { FinishOptions } from './finish/finish-selfie.ts'
import { openProvenance } from './finish/open-provenance.ts'
import type { ProvenanceSettings } from './finish/open-provenance.ts'
import type { RawPicture } from './finish/raw-picture.ts'
import { readProvenance } from './finish/read-provenance.ts'
import type { PictureProvenance } from './finish/read-provenance.ts'
import { jpegToPng } from './finish/to-png.ts'
import type {
  Aspect,
  GeneratedPicture,
  NormalisedPhoto,
  ProviderStage,
  Scene,
} from './image-provider.ts'
import { releaseMemory } from './release-memory.ts'
import type { PictureFingerprint } from './photo/fingerprint-distance.ts'
import { fingerprintPicture } from './photo/fingerprint.ts'
import { decodePicture } from './photo/decode-picture.ts'
import { normalisePhoto } from './photo/normalise.ts'
import type { PhotoHint, PhotoRefusal } from './photo/photo-error.ts'
import { PictureError } from './photo/picture-error.ts'

/** The user and the star. */
const peopleInPicture = 2

/** A face in an upright photo; the box is in fractions (0 to 1) of its width and height. */
export interface InspectedFace {
  x: number
  y: number
  width: number
  height: number
  /** The largest and most central one, which a picture is made of when nobody names another. */
  isMain: boolean
}

export interface PhotoInspection {
  widthPx: number
  heightPx: number
  faces: InspectedFace[]
  /** What would refuse the photo; empty when it can be used. */
  refusals: PhotoRefusal[]
  hints: PhotoHint[]
}

export interface SelfieRequest {
  userPhoto: NormalisedPhoto
  starPhoto: NormalisedPhoto
  userFaceIndex?: number | undefined
  starFaceIndex?: number | undefined
  prompt?: string | undefined
  scene?: Scene | undefined
  aspect: Aspect
  resolution: 'standard' | 'high'
  /** Text of the brand mark: the product's host name. */
  watermarkText: string
  /** Written into the pictures' metadata (IPTC 2025.1 AISystemVersionUsed). */
  systemVersion: string
  /**
   * Id of the invisible mark, 16 lower-case hexadecimal digits; without it, or where the engine
   * has no mark key, the picture carries none.
   */
  markId?: string | undefined
  signal?: AbortSignal | undefined
  onStage?: ((stage: ProviderStage | 'finish') => void) | undefined
}

/** How a picture that a hosted provider has made is finished. */
export interface ProviderPictureRequest {
  watermarkText: string
  systemVersion: string
  /** Which provider and model made it, to be stored with the picture. */
  provider: string
  model: string
  /** As in `SelfieRequest`. */
  markId?: string | undefined
  signal?: AbortSignal | undefined
}

/** The finished pictures of one generation, all JPEG with provenance marks. */
export interface Selfie {
  /** For premium users only. */
  clean: Uint8Array
  /** With the brand mark. */
  watermarked: Uint8Array
  /** 400 pixels on the long side, clean and with the brand mark. */
  cleanThumbnail: Uint8Array
  watermarkedThumbnail: Uint8Array
  widthPx: number
  heightPx: number
  provider: string
  model: string
}

/**
 * Photos in, picture out. Every call is bounded in time, memory and pixels, throws `PhotoError`
 * for a photo that can't be used, and rejects with the signal's reason when aborted.
 */
export interface Engine {
  /** Decodes an untrusted upload and makes it upright, sRGB, bare of metadata, ≤ 2048 px. */
  normalise(
    upload: Uint8Array,
    options?: { signal?: AbortSignal | undefined },
  ): Promise<NormalisedPhoto>
  /** Finds the faces and tells what would spoil the picture. Never throws for a poor photo. */
  inspect(
    photo: NormalisedPhoto,
    options?: { signal?: AbortSignal | undefined; faceIndex?: number | undefined },
  ): Promise<PhotoInspection>
  makeSelfie(request: SelfieRequest): Promise<Selfie>
  /**
   * Finishes a picture that a hosted provider has made, like the compositor's own: decoded within
   * bounds, refused without two faces, with the brand mark, provenance and encoding.
   * @param bytes as they came from the vendor, of any content
   * @throws PictureError
   */
  finishProviderPicture(bytes: Uint8Array, request: ProviderPictureRequest): Promise<Selfie>
  /** The same finished JPEG as a PNG to download, provenance kept. */
  toPng(jpeg: Uint8Array): Promise<Uint8Array>
  /**
   * The perceptual hashes of an upright picture of ours or a normalised photo, by which it is
   * recognised after scaling and recompression.
   */
  fingerprint(picture: Uint8Array): Promise<PictureFingerprint>
  /** Tells whether an untrusted file was made here: by its mark, its signature, its metadata. */
  readProvenance(
    upload: Uint8Array,
    options?: { signal?: AbortSignal | undefined },
  ): Promise<PictureProvenance>
  /** Stops threads and processes; calls under way reject. */
  close(): Promise<void>
}

export interface EngineOptions {
  /** Makes the embedded compositor; tests swap it. */
  createCompositor?: (() => Promise<Compositor>) | undefined
  /** Loads the models at once instead of with the first call that needs them. */
  preload?: boolean | undefined
  /** How pictures are marked and signed beyond their metadata; by default not at all. */
  provenance?: ProvenanceSettings | undefined
}

/**
 * The engine within this process, for command lines, measurements and the engine's own process.
 * A server takes `createEngineHost`, which keeps hostile photos out of its memory.
 */
export function createEngine(options: EngineOptions = {}): Engine {
  const embedded = lazily(options.createCompositor ?? loadCompositor)
  // A failure is told by the first call that needs the models, which tries again.
  if (options.preload === true) embedded.get().catch(() => {})
  const opened = openProvenance(options.provenance)
  // Settings that can't be used are told by the calls that need them.
  opened.catch(() => {})

  async function inspect(...photo: Parameters<Engine['inspect']>): Promise<PhotoInspection> {
    return await (await embedded.get()).inspect(...photo)
  }

  async function generate(request: SelfieRequest): Promise<GeneratedPicture> {
    return await (await embedded.get()).generate(request)
  }

  async function finishOptions(
    request: Pick<SelfieRequest, 'watermarkText' | 'systemVersion' | 'markId'>,
  ): Promise<FinishOptions> {
    const { watermarkText, systemVersion, markId: id } = request
    const { signer, markKey: key } = await opened
    const mark = id === undefined || key === undefined ? undefined : { id, key }
    return { watermarkText, systemVersion, mark, signer }
  }

  return {
    normalise: normalisePhoto,
    inspect,

    async makeSelfie(request) {
      request.signal?.throwIfAborted()
      const picture = await generate(request)
      request.signal?.throwIfAborted()
      request.onStage?.('finish')
      const { widthPx, heightPx, provider, model } = picture
      const files = await finishSelfie(picture, await finishOptions(request))
      releaseMemory(picture.pixels)
      return { ...files, widthPx, heightPx, provider, model }
    },

    async finishProviderPicture(bytes, request) {
      request.signal?.throwIfAborted()
      const picture = await decodePicture(bytes)
      const photo = await toPhoto(picture)
      const { faces } = await inspect(photo, { signal: request.signal })
      if (faces.length < peopleInPicture) throw new PictureError('faces_missing')
      const { widthPx, heightPx } = picture
      const { provider, model } = request
      const files = await finishSelfie(picture, await finishOptions(request))
      return { ...files, widthPx, heightPx, provider, model }
    },

    async toPng(jpeg) {
      return await jpegToPng(jpeg, await opened)
    },

    fingerprint: fingerprintPicture,

    async readProvenance(upload, { signal } = {}) {
      return await readProvenance(upload, { ...(await opened), signal })
    },

    async close() {
      await embedded.close()
    },
  }
}

/** The picture as the inspection takes it. */
async function toPhoto(picture: RawPicture): Promise<NormalisedPhoto> {
  const { pixels, widthPx, heightPx } = picture
  const bytes = await sharp(pixels, { raw: { width: widthPx, height: heightPx, channels: 3 } })
    .jpeg({ quality: 90 })
    .toBuffer()
  return { bytes, mediaType: 'image/jpeg', widthPx, heightPx, hasMatte: false }
}

async function loadCompositor(): Promise<Compositor> {
  const { createCompositor } = await import('./compositor/compositor.ts')
  // Now all code is loaded. A process that is killed later couldn't keep what it compiled.
  flushCompileCache()
  return await createCompositor()
}

/** Makes a thing once, at its first use; a failed making is tried again by the next use. */
function lazily<Thing extends { close(): Promise<void> }>(make: () => Promise<Thing>) {
  let thing: Promise<Thing> | undefined
  return {
    async get(): Promise<Thing> {
      thing ??= make()
      try {
        return await thing
      } catch (error) {
        thing = undefined
        throw error
      }
    },
    async close(): Promise<void> {
      await (await thing)?.close()
    },
  }
}
