import { createEngine } from '@starside/engine/engine.ts'
import type { Arrangement } from '@starside/contract/arrangement.ts'
import type {
  CallOptions,
  Engine,
  Selfie,
  SelfieInput,
  Sheet,
  SheetVariation,
} from '@starside/engine/engine-calls.ts'
import type { CroppedFace } from '@starside/engine/compositor/faces/crop-face.ts'
import type { PhotoInspection } from '@starside/engine/photo/inspection.ts'
import { decodePicture } from '@starside/engine/photo/decode-picture.ts'
import { fingerprintPicture } from '@starside/engine/photo/fingerprint.ts'
import { PictureError } from '@starside/engine/photo/picture-error.ts'
import type { PictureFault } from '@starside/engine/photo/picture-error.ts'
import { createTestJpeg } from './test-photo.ts'

export interface ScriptedEngine extends Engine {
  /** How the next pictures are made; each call takes one, then pictures simply succeed. */
  next: ((request: SelfieInput & CallOptions) => Promise<Selfie>)[]
  /** What every inspection finds. */
  inspection: Omit<PhotoInspection, 'widthPx' | 'heightPx'>
  /** How many pictures were asked for. */
  asked: number
  /** How many hosted providers' pictures were to be finished. */
  finished: number
  /** What every sheet has beside its best picture: none, as of a hosted provider, unless set. */
  sheet: Pick<Sheet, 'variations' | 'layers'>
  /** What others there are when they are asked for. */
  more: SheetVariation[]
  /** Whether pictures that were made as a whole are shown in other looks. */
  showsLooks: boolean
  /** Meets every call on layers; a test may note or refuse them. */
  adjust: (call: AdjustCall) => Promise<void>
  /** The faces that are cut out of the next photos and pictures. */
  cropped: CroppedFace[][]
  /** What `cropped` says of the next one. */
  foundFaces(): CroppedFace[]
  /** What is found wrong with the next of them. */
  nextFault: PictureFault | undefined
}

/** A call on layers: which, and with what. */
export interface AdjustCall {
  method: 'moreVariations' | 'renderVariation' | 'previewVariation'
  layers: Uint8Array
  arrangement?: Arrangement
  except?: Arrangement[]
  watermarkText?: string | undefined
  signal?: AbortSignal | undefined
}

const movableShape = {
  widthPx: 400,
  heightPx: 500,
  heads: [{ x: 200, y: 180, size: 150 }],
  box: { left: -0.7, top: -0.9, right: 0.7, bottom: 0.6 },
  uprightDegrees: 0,
  foot: undefined,
}

/** An engine that really reads photos and lets a test script the making of pictures. */
export function createScriptedEngine(): ScriptedEngine {
  const real = createEngine()
  return {
    next: [],
    cropped: [],
    sheet: { variations: [], layers: undefined },
    more: [],
    showsLooks: false,
    async adjust() {},
    asked: 0,
    finished: 0,
    nextFault: undefined,
    inspection: { faces: [{ ...testFace }], refusals: [], hints: [] },
    normalise: real.normalise,
    fitPhoto: real.fitPhoto,
    toPng: real.toPng,
    makeLogo: real.makeLogo,
    sign: real.sign,
    examine: real.examine,
    prepare: real.prepare,
    forgetPhotos: real.forgetPhotos,
    async admit(upload, options) {
      const { bytes, faceIndexes } = upload
      if (upload.isBackground === true) return real.admit(upload, options)
      const photo = await real.normalise(bytes, options)
      const inspection = await this.inspect({ photo, faceIndexes }, options)
      return { photo, inspection, fingerprint: await fingerprintPicture(photo.bytes) }
    },
    async inspect({ photo }) {
      return { ...this.inspection, widthPx: photo.widthPx, heightPx: photo.heightPx }
    },
    async makeSelfie(input, options = {}) {
      this.asked += 1
      options.onStage?.('faces')
      const scripted = this.next.shift()
      return scripted === undefined ? makeTestSelfie() : scripted({ ...input, ...options })
    },
    async makeSheet(input, options) {
      return { best: await this.makeSelfie(input, options), ...this.sheet }
    },
    async moreVariations(input, options) {
      await this.adjust({ method: 'moreVariations', ...input, ...options })
      return { variations: this.more }
    },
    async renderVariation(input, options) {
      await this.adjust({ method: 'renderVariation', ...input, ...options })
      return { ...(await makeTestSelfie()), visibleCut: 0 }
    },
    async previewVariation(input, options) {
      await this.adjust({ method: 'previewVariation', ...input, ...options })
      const jpeg = await testJpeg(input)
      const person = { ...movableShape, webp: jpeg }
      const people = input.withPeople ? [person, person] : undefined
      return {
        jpeg,
        widthPx: 410,
        heightPx: 512,
        visibleCut: 0.25,
        mended: [{ x: 0.3, y: 0.6, size: 0.2 }],
        behind: jpeg,
        markBox: undefined,
        people,
      }
    },
    foundFaces() {
      const faces = this.inspection.faces.map(() => ({ crop: new Uint8Array(1), headSizePx: 1 }))
      return this.cropped.shift() ?? faces
    },
    async cropFaces() {
      return this.foundFaces()
    },
    developPicture: real.developPicture,
    async developPreviews(input) {
      return this.showsLooks ? await real.developPreviews(input) : { previews: [] }
    },
    async finishProviderPicture({ bytes, provider, model }) {
      this.finished += 1
      const fault = this.nextFault
      this.nextFault = undefined
      if (fault !== undefined) throw new PictureError(fault)
      const { widthPx, heightPx } = await decodePicture(bytes)
      const faces = this.foundFaces()
      return { ...(await makeTestSelfie()), widthPx, heightPx, provider, model, faces }
    },
    async makePresetFiles(photo) {
      return await makeTestPresetFiles(photo.bytes)
    },
    close: real.close,
  }
}

const testFace: PhotoInspection['faces'][number] = {
  x: 0.3,
  y: 0.2,
  width: 0.4,
  height: 0.4,
  isMain: true,
  refusals: [],
  hints: [],
}

async function makeTestPresetFiles(photo: Uint8Array) {
  const small = await createTestJpeg({ red: 0, green: 0, blue: 200, widthPx: 320 })
  const bytes = { picture: photo, cutout: photo, preview: small }
  return { ...bytes, thumbnailAvif: small, thumbnailJpeg: small }
}

/** The test selfie's picture, with the brand mark where a text for it is given. */
async function testJpeg({ watermarkText }: { watermarkText?: string | undefined }) {
  const { clean, watermarked } = await makeTestSelfie()
  return watermarkText === undefined ? clean : watermarked
}

let drawn: Promise<Selfie> | undefined

/**
 * A finished selfie whose four pictures can be distinguished; drawn once, as it is always the same.
 * `clean` takes the place of the picture without the brand mark.
 */
export async function makeTestSelfie(clean?: Uint8Array): Promise<Selfie> {
  drawn ??= drawTestSelfie()
  const selfie = await drawn
  return clean === undefined
    ? { ...selfie }
    : { ...selfie, clean, fingerprint: await fingerprintPicture(clean) }
}

async function drawTestSelfie(): Promise<Selfie> {
  const clean = await createTestJpeg({ red: 200, green: 0, blue: 0 })
  return {
    clean,
    fingerprint: await fingerprintPicture(clean),
    watermarked: await createTestJpeg({ red: 0, green: 200, blue: 0 }),
    cleanThumbnail: await createTestJpeg({ red: 200, green: 0, blue: 0, widthPx: 320 }),
    watermarkedThumbnail: await createTestJpeg({ red: 0, green: 200, blue: 0, widthPx: 320 }),
    widthPx: 1024,
    heightPx: 1280,
    provider: 'scripted',
    model: 'test',
  }
}
