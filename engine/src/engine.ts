import { flushCompileCache } from 'node:module'
import sharp from 'sharp'
import { collectGarbage, createCollection } from './collect-garbage.ts'
import { createAdmission, createAdmissions, createPrepareCall } from './admit-photo.ts'
import type { Compositor } from './compositor/compositor.ts'
import type { CroppedFace } from './compositor/faces/crop-face.ts'
import type { CallOptions, Engine, EngineMethods } from './engine-calls.ts'
import { developLook } from './finish/develop-look.ts'
import { finishSelfie, finishSmall } from './finish/finish-selfie.ts'
import { openProvenance } from '@starside/provenance/open-provenance.ts'
import type { Provenance, ProvenanceSettings } from '@starside/provenance/open-provenance.ts'
import type { AskStamp } from '@starside/provenance/time-stamp.ts'
import type { RawPicture } from './finish/raw-picture.ts'
import { readProvenance } from './finish/read-provenance.ts'
import { jpegToPng } from './finish/to-png.ts'
import type { NormalisedPhoto } from './image-provider.ts'
import { lazily } from './lazily.ts'
import { releaseMemory } from './release-memory.ts'
import { createVariationCalls } from './variation-calls.ts'
import type { FinishRequest } from './variation-calls.ts'
import { fingerprintPicture } from './photo/fingerprint.ts'
import { decodePicture } from './photo/decode-picture.ts'
import { fitPhoto } from './photo/fit-photo.ts'
import { makeLogo } from './photo/make-logo.ts'
import { normalisePhoto } from './photo/normalise.ts'
import type { PhotoPart } from './photo/normalise.ts'
import { PhotoError } from './photo/photo-error.ts'
import { PictureError } from './photo/picture-error.ts'

export interface EngineOptions {
  /** Makes the embedded compositor; tests swap it. */
  createCompositor?: (() => Promise<Compositor>) | undefined
  /** Loads the models at once instead of with the first call that needs them. */
  preload?: boolean | undefined
  /** How pictures are marked and signed beyond their metadata; by default not at all. */
  provenance?: ProvenanceSettings | undefined
  /** Asks the time-stamping authority, where the settings say that there is one. */
  askStamp?: AskStamp | undefined
}

/** A face below this part of the smallest one that is meant belongs to a passer-by. */
const passerByMax = 0.6

/** The engine in this process; servers take `createEngineHost`, which keeps hostile photos out. */
export function createEngine(options: EngineOptions = {}): Engine {
  const embedded = lazily(options.createCompositor ?? loadCompositor)
  // The first call that needs the models tries again and reports a failure.
  if (options.preload === true) embedded.get().catch(() => {})
  const opened = openProvenance(options.provenance, options.askStamp)
  // The calls that need the settings report those that can't be used.
  opened.catch(() => {})

  const inspect: EngineMethods['inspect'] = async ({ photo, faceIndexes }, { signal } = {}) =>
    (await embedded.get()).inspect(photo, { signal, faceIndexes })

  const collectSoon = createCollection()
  const normalise = async (
    upload: Uint8Array,
    { signal, part }: CallOptions & { part?: PhotoPart } = {},
  ) => {
    const photo = await normalisePhoto(upload, { signal, part, beforeMuchMemory: makeRoom })
    collectSoon()
    return photo
  }
  const makeRoom = (): void => {
    collectGarbage()
    // It may not have been opened yet, or not open.
    void embedded
      .opened()
      .then((compositor) => compositor?.collectGarbage())
      .catch(() => {})
  }

  const admissions = createAdmissions()
  const finish = async (picture: RawPicture, request: FinishRequest) => {
    const finished = await finishPicture(picture, request, await opened)
    collectSoon()
    return finished
  }
  const sheets = createVariationCalls({
    compositor: () => embedded.get(),
    finish,
    finishSmall: async (picture, request) =>
      await finishSmall(picture, { ...request, signer: (await opened).signer }),
  })

  return {
    normalise,
    inspect,

    async cropFaces(photo, { signal } = {}) {
      return await (await embedded.get()).cropFaces(photo, signal)
    },

    admit: createAdmission({ normalise, inspect, compositor: () => embedded.get(), admissions }),
    prepare: createPrepareCall({ compositor: () => embedded.get(), admissions }),

    async forgetPhotos({ account }) {
      admissions.forget(account)
      const compositor = await embedded.opened()
      compositor?.forget(account)
    },

    async makeSelfie(input, call) {
      const alone = { ...input, variationsMax: 0, keepLayers: false }
      return (await sheets.makeSheet(alone, call)).best
    },

    ...sheets,

    async finishProviderPicture(
      { bytes, provider, model, headCount, mayHaveOthers, ...request },
      { signal } = {},
    ) {
      signal?.throwIfAborted()
      const picture = await decodePicture(bytes)
      const faces = await (await embedded.get()).cropFaces(await toPhoto(picture), signal)
      if (faces.length < headCount) throw new PictureError('faces_missing')
      if (!mayHaveOthers && hasOthers(faces, headCount)) throw new PictureError('faces_extra')
      return { ...(await finish(picture, { ...request, source: bytes })), provider, model, faces }
    },

    async makePresetFiles(photo) {
      if (photo.hasMatte) throw new PhotoError('photo_format')
      // Seldom asked for: its code is loaded with the first star.
      const { makePresetFiles } = await import('./preset/make-preset-files.ts')
      return await makePresetFiles(await embedded.get(), photo)
    },

    async toPng(jpeg) {
      return await jpegToPng(jpeg, await opened)
    },

    async sign({ bytes, ...about }) {
      const { signer } = await opened
      return (await signer?.sign(bytes, { ...about, isMarked: false })) ?? bytes
    },

    fitPhoto,
    makeLogo,

    async examine(upload, { signal } = {}) {
      const photo = await normalisePhoto(upload, { signal })
      const provenance = await readProvenance(upload, { ...(await opened), signal })
      return { provenance, fingerprint: await fingerprintPicture(photo.bytes) }
    },

    async close() {
      await embedded.close()
    },
  }
}

/** Whether somebody else is nearly as large as those who are meant, and not a passer-by far away. */
function hasOthers(faces: readonly CroppedFace[], headCount: number): boolean {
  const sizes = faces.map(({ headSizePx }) => headSizePx).toSorted((one, other) => other - one)
  return (sizes[headCount] ?? 0) > passerByMax * (sizes[headCount - 1] ?? 0)
}

/** The last step of every way to a picture: the look of the whole, then marks and files. */
async function finishPicture(
  picture: RawPicture,
  { look = 'natural', seed = 1, markId: id, ...naming }: FinishRequest,
  { signer, markKey: key }: Provenance,
) {
  const developed = await developLook(picture, { look, seed })
  const mark = id === undefined || key === undefined ? undefined : { id, key }
  const { files, fingerprint } = await finishSelfie(developed, { ...naming, mark, signer })
  if (developed !== picture) releaseMemory(developed.pixels)
  const { widthPx, heightPx } = picture
  return { ...files, fingerprint, widthPx, heightPx }
}

/** The picture as a photo in which faces are found only. */
async function toPhoto({ pixels, widthPx, heightPx }: RawPicture): Promise<NormalisedPhoto> {
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
