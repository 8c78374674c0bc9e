/**
 * The interface of makers that work within this process, as the embedded compositor does. Hosted
 * models take an order and answer later: `hosted/hosted-provider.ts`.
 */

/**
 * A photo that passed `photo/`: upright, sRGB, without metadata, at most 2048 pixels on its long
 * side. JPEG, or PNG where the photo brought a transparency that matters (a cut-out star).
 */
export interface NormalisedPhoto {
  bytes: Uint8Array
  mediaType: 'image/jpeg' | 'image/png'
  widthPx: number
  heightPx: number
  /** True where the PNG's alpha is a matte of the person, to be taken as it is. */
  hasMatte: boolean
}

/** Where the picture is set. `own` is the background of the user's photo with all people removed. */
export type Scene = 'own' | 'red-carpet' | 'city-night' | 'sunny-street' | 'studio'

/** Width to height of the picture. */
export type Aspect = '4:5' | '1:1' | '16:9'

/** What a maker is doing, in this order; not every maker tells every stage. */
export type ProviderStage = 'reading' | 'faces' | 'matting' | 'layout' | 'harmonise' | 'blend'

export interface GenerateRequest {
  userPhoto: NormalisedPhoto
  starPhoto: NormalisedPhoto
  /** Index into the faces that `inspect` found in the user's photo; undefined takes the main one. */
  userFaceIndex?: number | undefined
  /** The same for the star's photo. */
  starFaceIndex?: number | undefined
  /** The user's own words, cleaned and bounded; undefined when there are none. */
  prompt?: string | undefined
  /** Undefined lets the maker take it from the prompt's words, else `own`. */
  scene?: Scene | undefined
  aspect: Aspect
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
  /** Which maker and model made it, to be stored with the picture. */
  provider: string
  model: string
}

/**
 * Makes one picture of both people. Throws `PhotoError` where a photo can't be used, and any
 * other error where the maker itself failed.
 */
export interface ImageProvider {
  readonly name: string
  generate(request: GenerateRequest): Promise<GeneratedPicture>
}
