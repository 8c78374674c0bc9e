import type { Arrangement, PictureLook } from './arrangement.ts'
import type { AiLabel } from './finish/ai-label.ts'
import type { FinishedPictures } from './finish/finish-selfie.ts'
import type { CroppedFace } from './compositor/faces/crop-face.ts'
import type { Stand } from './compositor/layout/hide-cuts.ts'
import type {
  GenerateRequest,
  NormalisedPhoto,
  ProviderStage,
  StarPhoto,
} from './image-provider.ts'
import type { PhotoFit } from './photo/fit-photo.ts'
import type { Logo, LogoRequest } from './photo/make-logo.ts'
import type { PresetFiles } from './preset/make-preset-files.ts'
import type { PictureProvenance } from './finish/read-provenance.ts'
import type { PictureFingerprint } from './photo/fingerprint-distance.ts'
import type { PhotoInspection } from './photo/inspection.ts'
import type { FormatRefusal } from './photo/photo-error.ts'

/** An upload as it came, of any origin and content. */
export interface Upload {
  bytes: Uint8Array
  /** The faces that a picture is to be made of; undefined takes the main one. */
  faceIndexes?: readonly number[] | undefined
  /** True for the photo of a place: no face is looked for in it. */
  isBackground?: boolean | undefined
  /** For whom the answer is kept, five minutes at most; undefined keeps nothing. */
  account?: string | undefined
  /** Reads, once the answer is given, what a picture will need of a usable photo too. */
  readAhead?: boolean | undefined
}

/** An upload that could be read, with everything that is asked about it before it is used. */
export interface AdmittedPhoto {
  /** The whole, or the surroundings of the faces that are meant, where those have more pixels so. */
  photo: NormalisedPhoto
  /** The faces of `photo` that are meant; undefined: those that were asked for, of the whole. */
  faceIndexes?: readonly number[] | undefined
  /** Of the whole. */
  inspection: PhotoInspection
  /** By which copies of the photo are recognised. */
  fingerprint: PictureFingerprint
  /** Whether it was kept from an earlier call for the same account. */
  wasKept?: boolean | undefined
}

/** How a picture's files are finished. */
export interface Finishing {
  /** Text of the brand mark: by default the product's host name. */
  watermarkText: string
  /** Written into the pictures' metadata (AISystemUsed); by default the program's own name. */
  systemName?: string | undefined
  /** Written into the pictures' metadata (IPTC 2025.1 AISystemVersionUsed). */
  systemVersion: string
  /** Id of the invisible mark, 16 lower-case hexadecimal digits; needs the engine's mark key. */
  markId?: string | undefined
  /** The visible label in the pictures; by default there is none. */
  aiLabel?: AiLabel | undefined
  /** A PNG that lies over the whole picture, below its marks. */
  overlay?: Uint8Array | undefined
}

/** What makes a selfie. */
export interface SelfieInput extends Omit<GenerateRequest, 'signal' | 'onStage'>, Finishing {
  /** How the picture is developed; by default a selfie as usual, a picture made elsewhere not at all. */
  look?: PictureLook | undefined
}

/** A picture that a hosted provider has made, and how it is finished. */
export interface ProviderPicture extends Finishing {
  /** As they came from the vendor, of any content. */
  bytes: Uint8Array
  /** How many people are to be in it; one with fewer faces is refused. */
  headCount: number
  /** Whether others may be in it too, as in the photo of a place. */
  mayHaveOthers: boolean
  /** Which provider and model made it, to be stored with the picture. */
  provider: string
  model: string
}

/** The finished pictures of one generation, all JPEG with provenance marks. */
export interface Selfie extends FinishedPictures {
  /** Of the clean picture. */
  fingerprint: PictureFingerprint
  widthPx: number
  heightPx: number
  provider: string
  model: string
}

/** JPEG of at most 512 pixels, without and with the brand mark. */
export interface SmallPicture {
  clean: Uint8Array
  watermarked: Uint8Array
  widthPx: number
  heightPx: number
}

/** One arrangement with a small picture of it. */
export interface SheetVariation extends SmallPicture {
  arrangement: Arrangement
  /** The higher, the better. */
  quality: number
}

/** A small copy of somebody's layer, to be dragged: as their photo has them, in the light of an arrangement. */
export interface MovablePerson {
  /** WebP with straight alpha. */
  webp: Uint8Array
  widthPx: number
  heightPx: number
  /** Middles and sizes in pixels of the layer; an arrangement tells those of the first. */
  heads: { x: number; y: number; size: number }[]
  /** About all of them with their hair, in sizes of the first from its middle. */
  box: Record<'left' | 'top' | 'right' | 'bottom', number>
  /** How far the photo is turned clockwise where an arrangement turns nobody. */
  uprightDegrees: number
  /** In pixels of the layer; undefined where the photo doesn't cut the body at its foot. */
  foot: MovableFoot | undefined
}

/** The border at which a photo cuts a body, which is drawn longer where the border would show. */
export interface MovableFoot {
  left: number
  right: number
  y: number
  /** A body is stretched from so far below this point. */
  middleX: number
  middleY: number
  stretchBelow: number
}

/** All that one credit buys. */
export interface Sheet {
  best: Selfie
  /** The best first, which is `best`; then the same people in another look, and other arrangements. */
  variations: SheetVariation[]
  /** From which further variations are made; undefined where they were not asked for. */
  layers: Uint8Array | undefined
  /** Of how many photos of people a reading had been kept; undefined where none was to be read. */
  keptCount?: number | undefined
  /** Whether everybody had been cut out before, by `prepare`. */
  wasPrepared?: boolean | undefined
}

/** A photo that was admitted a few minutes ago at most, for the same account. */
export interface AdmittedUpload {
  /** `photoDigest` of its bytes. */
  digest: string
  /** The faces that a picture is to be made of; undefined takes the main one. */
  faceIndexes?: readonly number[] | undefined
}

/** What a file says about where it was made, and its fingerprint. */
export interface ExaminedPicture {
  provenance: PictureProvenance
  fingerprint: PictureFingerprint
}

/**
 * The engine's calls: plain data in and out, as it travels between processes. A new one is declared
 * here and in `call-settings.ts` and done in `engine.ts`; the rest follows.
 */
export interface EngineCalls {
  /** Decodes an untrusted upload and makes it upright, sRGB, bare of metadata, ≤ 2048 px. */
  normalise: { input: Uint8Array; output: NormalisedPhoto }
  /** Normalises an untrusted upload, inspects it and takes its fingerprint, in one call. */
  admit: { input: Upload; output: AdmittedPhoto }
  /** Finds the faces and reports what would spoil the picture. Never throws for a poor photo. */
  inspect: {
    input: { photo: NormalisedPhoto; faceIndexes?: readonly number[] | undefined }
    output: PhotoInspection
  }
  /** All faces in the size that a face network takes, in the order of `inspect`. */
  cropFaces: { input: NormalisedPhoto; output: CroppedFace[] }
  makeSelfie: { input: SelfieInput; output: Selfie }
  /** Makes the best picture at full size, and small ones of other arrangements that differ from it. */
  makeSheet: {
    input: SelfieInput & { variationsMax: number; keepLayers: boolean }
    output: Sheet
  }
  /**
   * Cuts a likely sheet's people out while no picture is made, unless they can't stand in its format;
   * nothing for photos not known.
   */
  prepare: {
    input: Pick<SelfieInput, 'aspect' | 'resolution'> & {
      account: string
      user: AdmittedUpload
      stars: readonly (AdmittedUpload | StarPhoto)[]
    }
    output: { isBegun: boolean; refusal?: FormatRefusal | undefined }
  }
  /** Small pictures of arrangements that differ from all those of `except`; perhaps none. */
  moreVariations: {
    input: Finishing & { layers: Uint8Array; except: Arrangement[]; variationsMax: number }
    output: { variations: SheetVariation[] }
  }
  /** Makes an arrangement at full size. This and the next ones reject with `LayersError`. */
  renderVariation: {
    input: Finishing & {
      layers: Uint8Array
      arrangement: Arrangement
      resolution: 'standard' | 'high'
    }
    output: Selfie & { visibleCut: number }
  }
  /** Shows an arrangement small, and what it is drawn of. */
  previewVariation: {
    input: {
      layers: Uint8Array
      arrangement: Arrangement
      longSidePx: number
      /** Whether everybody is wanted by themselves too. */
      withPeople: boolean
      /** Stands once on each of the pictures, faintly on a person; undefined leaves them clean. */
      watermarkText: string | undefined
    }
    output: {
      jpeg: Uint8Array
      widthPx: number
      heightPx: number
      /** The photo's border that would show, in head sizes. */
      visibleCut: number
      /** Where everybody would stand for none to show; undefined where none does, or nowhere near. */
      mended: Stand[] | undefined
      /** The photographed part with nobody in it, JPEG. */
      behind: Uint8Array
      /** Where the brand mark stands on it, in parts of it. */
      markBox: { x: number; y: number; width: number; height: number } | undefined
      people: MovablePerson[] | undefined
    }
  }
  /** Develops a finished picture in a look, and finishes it once more; the seed is of the grain. */
  developPicture: {
    input: Finishing &
      Pick<ProviderPicture, 'bytes' | 'provider' | 'model'> & { look: PictureLook; seed: number }
    output: Selfie
  }
  /** Small pictures of a finished one, in these looks. */
  developPreviews: {
    input: Finishing & { bytes: Uint8Array; looks: readonly PictureLook[]; seed: number }
    output: { previews: SmallPicture[] }
  }
  /**
   * Finishes a hosted provider's picture like our own: decoded within bounds, refused with too few or too many
   * faces; gives its faces as `cropFaces` does. Rejects with `PictureError`.
   */
  finishProviderPicture: { input: ProviderPicture; output: Selfie & { faces: CroppedFace[] } }
  /**
   * The files of a star, made of a photo of one person from the front. Rejects with `PhotoError`
   * where a selfie couldn't be made of it, and for one without its background.
   */
  makePresetFiles: { input: NormalisedPhoto; output: PresetFiles }
  /** A normalised photo in the size that a model takes, no head cut. */
  fitPhoto: { input: PhotoFit; output: NormalisedPhoto }
  /** The same finished JPEG as a PNG to download, provenance kept. */
  toPng: { input: Uint8Array; output: Uint8Array }
  /** Signs a JPEG of ours that isn't a selfie's own file, such as a card. */
  sign: {
    input: Pick<Finishing, 'systemName' | 'systemVersion'> & { bytes: Uint8Array }
    output: Uint8Array
  }
  /** A small PNG for a page, of an untrusted upload. */
  makeLogo: {
    input: LogoRequest
    output: Logo
  }
  /** Drops what was kept of an account's photos. */
  forgetPhotos: { input: { account: string }; output: void }
  /** Finds out whether an untrusted file was made here: by mark, signature or metadata. */
  examine: { input: Uint8Array; output: ExaminedPicture }
}

export type EngineMethod = keyof EngineCalls
export type EngineInput<Method extends EngineMethod> = EngineCalls[Method]['input']
export type EngineOutput<Method extends EngineMethod> = EngineCalls[Method]['output']
export type EngineStage = ProviderStage | 'finish'

/** What stays on the caller's side of a call. */
export interface CallOptions {
  /** Aborting rejects with the signal's reason. */
  signal?: AbortSignal | undefined
  /** Called by `makeSelfie` and `makeSheet` only. */
  onStage?: ((stage: EngineStage) => void) | undefined
}

export type EngineFunction<Method extends EngineMethod> = (
  input: EngineInput<Method>,
  options?: CallOptions,
) => Promise<EngineOutput<Method>>

export type EngineMethods = { [Method in EngineMethod]: EngineFunction<Method> }

/**
 * Photos in, picture out. Every call is bounded in time, memory and pixels, throws `PhotoError`
 * for a photo that can't be used, and rejects with the signal's reason when aborted.
 */
export interface Engine extends EngineMethods {
  /** Stops threads and processes; calls under way reject. */
  close(): Promise<void>
}
