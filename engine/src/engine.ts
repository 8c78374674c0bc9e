import type { Aspect, NormalisedPhoto, ProviderStage, Scene } from './image-provider.ts'
import type { PhotoHint, PhotoRefusal } from './photo/photo-error.ts'

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
  signal?: AbortSignal | undefined
  onStage?: ((stage: ProviderStage | 'finish') => void) | undefined
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
  /** The same finished JPEG as a PNG to download, provenance kept. */
  toPng(jpeg: Uint8Array): Promise<Uint8Array>
  /** Stops threads and processes; calls under way reject. */
  close(): Promise<void>
}
