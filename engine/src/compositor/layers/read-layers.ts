import { zstdDecompressSync } from 'node:zlib'
import sharp from 'sharp'
import type { BytePlane, RgbImage } from '../../image/raster.ts'
import { joinHeads } from '../faces/join-heads.ts'
import { createFrame } from '../shared-frames.ts'
import type { EmptyBackground } from './empty-background.ts'
import type { Layers, SubjectLayer } from './layers.ts'
import { LayersError, requireFit } from './layers-error.ts'
import { readLayersFile } from './layers-file.ts'
import type { StoredBackground, StoredHeader, StoredSubject } from './stored-layers.ts'

const subjectsMax = 3
const headsMax = 4
/** No side of a stored picture is longer. */
const sideMax = 4096
const sectionsOfSubject = 3

/** Unpacks stored layers of any content, all sizes checked before decoding; throws LayersError. */
export async function readLayers(bytes: Uint8Array): Promise<Layers> {
  const { header, sections } = readLayersFile(bytes)
  try {
    // What it lacks of this shape is found by the checks that follow.
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    const { seed, subjects, background } = header as unknown as StoredHeader
    requireFit(Number.isInteger(seed) && subjects.length >= 2 && subjects.length <= subjectsMax)
    const behind = subjects.length * sectionsOfSubject
    requireFit(sections.length === behind + (background === null ? 0 : 2))
    const [kept, ...layers] = await Promise.all([
      background === null
        ? undefined
        : unpackBackground(background, sections[behind]!, sections[behind + 1]!),
      ...subjects.map((subject, n) =>
        unpackSubject(subject, sections.slice(n * sectionsOfSubject, (n + 1) * sectionsOfSubject)),
      ),
    ])
    return { seed, subjects: layers, background: kept }
  } catch (cause) {
    throw cause instanceof LayersError ? cause : new LayersError('layers_unreadable', { cause })
  }
}

async function unpackSubject(
  stored: StoredSubject,
  sections: readonly Uint8Array[],
): Promise<SubjectLayer> {
  const { heads, width, height, place, silhouette } = stored
  const { photoWidth, photoHeight, light } = stored
  requireFinite(heads, place, silhouette, { photoWidth, photoHeight })
  requireFit(place.scale > 0 && photoWidth > 0 && photoHeight > 0)
  requireFit(heads.length >= 1 && heads.length <= headsMax)
  const [colours, alpha, mask] = sections
  const frame = createFrame(requireSide(width), requireSide(height))
  frame.image.data.set((await decodeJpeg(colours!, width, height)).data)
  frame.alpha.data.set(decompress(alpha!, width, height).data)
  const { maskWidth, maskHeight, ...outline } = silhouette
  return {
    frame,
    place,
    reading: {
      heads,
      head: joinHeads(heads),
      light,
      width: photoWidth,
      height: photoHeight,
      refusals: [],
      silhouette: {
        ...outline,
        mask: decompress(mask!, requireSide(maskWidth), requireSide(maskHeight)),
        photo: { width: photoWidth, height: photoHeight },
      },
    },
  }
}

async function unpackBackground(
  { width, height, region, gain }: StoredBackground,
  colours: Uint8Array,
  known: Uint8Array,
): Promise<EmptyBackground> {
  requireFinite(region, gain)
  requireFit(region.width > 0 && region.height > 0)
  const image = await decodeJpeg(colours, requireSide(width), requireSide(height))
  const seen = decompress(known, width, height)
  return { image: shareRgb(image), known: seen, region, gain: gain ?? undefined }
}

function shareRgb({ data, width, height }: RgbImage): RgbImage {
  const { image } = createFrame(width, height)
  image.data.set(data)
  return image
}

function requireSide(side: number): number {
  requireFit(Number.isInteger(side) && side >= 1 && side <= sideMax)
  return side
}

/** Every number in it, however deep, is finite. */
function requireFinite(...values: readonly unknown[]): void {
  for (const value of values) {
    if (typeof value === 'number') requireFit(Number.isFinite(value))
    else if (typeof value === 'object' && value !== null) requireFinite(...Object.values(value))
    else requireFit(value === undefined || value === null)
  }
}

async function decodeJpeg(jpeg: Uint8Array, width: number, height: number): Promise<RgbImage> {
  const { data, info } = await sharp(jpeg, { limitInputPixels: sideMax * sideMax })
    .raw({ depth: 'uchar' })
    .toBuffer({ resolveWithObject: true })
  requireFit(info.width === width && info.height === height && info.channels === 3)
  return { data, width, height }
}

function decompress(section: Uint8Array, width: number, height: number): BytePlane {
  const data = zstdDecompressSync(section, { maxOutputLength: width * height + 1 })
  requireFit(data.length === width * height)
  return { data, width, height }
}
