import { promisify } from 'node:util'
import { zstdCompress } from 'node:zlib'
import sharp from 'sharp'
import type { BytePlane, RgbImage } from '../../image/raster.ts'
import type { Layers, SubjectLayer } from './layers.ts'
import { writeLayersFile } from './layers-file.ts'
import type { StoredBackground, StoredSubject } from './stored-layers.ts'

/** At this quality 44 dB and more are left of a person, which nobody sees. */
const personQuality = 95
/** The background is out of focus. */
const backgroundQuality = 90

/** Packs layers into bytes that can be kept; see `stored-layers.ts` for what is in them. */
export async function storeLayers({ subjects, background, seed }: Layers): Promise<Uint8Array> {
  const packed = await Promise.all(subjects.map(packSubject))
  const behind = background && {
    stored: {
      width: background.image.width,
      height: background.image.height,
      region: background.region,
      gain: background.gain ?? null,
    } satisfies StoredBackground,
    sections: await Promise.all([
      jpegOf(background.image, backgroundQuality),
      compress(background.known),
    ]),
  }
  const header = {
    seed,
    subjects: packed.map(({ stored }) => stored),
    background: behind?.stored ?? null,
  }
  const sections = [...packed.flatMap((one) => one.sections), ...(behind?.sections ?? [])]
  return writeLayersFile({ header, sections })
}

async function packSubject({ frame, place, reading }: SubjectLayer): Promise<{
  stored: StoredSubject
  sections: Uint8Array[]
}> {
  const { mask, maskScale, photo: _, ...silhouette } = reading.silhouette
  const { heads, light } = reading
  return {
    stored: {
      photoWidth: reading.width,
      photoHeight: reading.height,
      width: frame.image.width,
      height: frame.image.height,
      place,
      heads,
      light,
      silhouette: { ...silhouette, maskWidth: mask.width, maskHeight: mask.height, maskScale },
    },
    sections: await Promise.all([
      jpegOf(frame.image, personQuality),
      compress(frame.alpha),
      compress(mask),
    ]),
  }
}

async function jpegOf({ data, width, height }: RgbImage, quality: number): Promise<Uint8Array> {
  return await sharp(data, { raw: { width, height, channels: 3 } })
    .jpeg({ quality, chromaSubsampling: '4:4:4', optimiseCoding: false })
    .toBuffer()
}

const compressBytes = promisify(zstdCompress)

/** Beside the thread that marks the picture meanwhile. */
async function compress({ data }: BytePlane): Promise<Uint8Array> {
  return await compressBytes(data)
}
