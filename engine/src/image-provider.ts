import type { GenerationStage, SceneName, SelfieAspect } from '@starside/contract/scenes.ts'

/** What every image provider takes and gives; `compositor/` is the one within this process. */

/** Upright, sRGB, no metadata, at most 2048 px a side: PNG where transparency matters, or JPEG. */
export interface NormalisedPhoto {
  bytes: Uint8Array
  mediaType: 'image/jpeg' | 'image/png'
  widthPx: number
  heightPx: number
  /** True where the PNG's alpha is a matte of the person, to be taken as it is. */
  hasMatte: boolean
  /** Pixels of the upload for each of the photo's, along a side. Left out: 1. */
  shrunkBy?: number | undefined
}

export { generationStages, sceneNames, selfieAspects } from '@starside/contract/scenes.ts'

/** Where the picture is set. `own` is the background of the user's photo with all people removed. */
export type Scene = SceneName

/** Width to height of the picture. */
export type Aspect = SelfieAspect

/** What a provider is doing, in the order of the contract; not every provider reports every stage. */
export type ProviderStage = Exclude<GenerationStage, 'queued' | 'finish' | 'done'>

/** A star's photo, and who of it is meant. */
export interface StarPhoto {
  photo: NormalisedPhoto
  /** Index into the faces that `inspect` found in the photo; undefined takes the main one. */
  faceIndex?: number | undefined
  /** Whether it is a star that everybody may choose: what is read of it is kept for all accounts. */
  isPreset?: boolean | undefined
}

export interface GenerateRequest {
  /** Whose photos these are, to take what was lately read of them; undefined reads all. */
  account?: string | undefined
  userPhoto: NormalisedPhoto
  /** Indexes into `inspect`'s faces, none twice, who stay together; undefined: the main one. */
  userFaceIndexes?: readonly number[] | undefined
  /** One or two. With the user's faces there are at most `headsMax`. */
  stars: readonly StarPhoto[]
  /** The user's own words, cleaned and bounded; undefined when there are none. */
  prompt?: string | undefined
  /** Undefined lets the provider take it from the prompt's words, else `own`. */
  scene?: Scene | undefined
  /** A photo of a place instead of a scene; needs no face, and people in it are removed. */
  backgroundPhoto?: NormalisedPhoto | undefined
  /** Of a scene's details: the same seed draws the same scene. Undefined is 1. */
  seed?: number | undefined
  aspect: Aspect
  /** Whether all variations have this format. */
  keepsAspect?: boolean | undefined
  /** 'standard' gives 1024×1280 at 4:5, 'high' 1536×1920. */
  resolution: 'standard' | 'high'
  /** Aborting rejects with the signal's reason and frees everything. */
  signal?: AbortSignal | undefined
  onStage?: ((stage: ProviderStage) => void) | undefined
}

/** The clean picture: interleaved 8-bit sRGB, three channels, rows from the top. */
export interface GeneratedPicture {
  pixels: Uint8Array
  widthPx: number
  heightPx: number
  /** Which provider and model made it, to be stored with the picture. */
  provider: string
  model: string
}
