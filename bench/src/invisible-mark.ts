import { readdir } from 'node:fs/promises'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { detectMark, embedMark, knownSizes } from '@starside/provenance/invisible-mark.ts'
import type { RawPicture } from '@starside/engine/finish/raw-picture.ts'
import sharp from 'sharp'
import type { Sharp } from 'sharp'
import { drawSynthetic } from './mark/draw-synthetic.ts'
import { table } from './page/write-section.ts'
import type { Section } from './page/write-section.ts'

/*
 * What the invisible mark survives, at every size that pictures are made in, and how often it is
 * found where it isn't.
 *
 *     npm run bench -- invisible-mark [--synthetic 1000] [folder of photos …]
 */

const key = Buffer.from('a key that only this measurement knows')
const id = 'c0ffee0123456789'
const fixtures = fileURLToPath(new URL('../../engine/fixtures/', import.meta.url))

const draw = ({ pixels, widthPx, heightPx }: RawPicture): Sharp =>
  sharp(pixels, { raw: { width: widthPx, height: heightPx, channels: 3 } })

const half = (picture: RawPicture): Sharp => draw(picture).resize(Math.round(picture.widthPx / 2))

/** A crop of a share of both sides, off the centre, as JPEG of quality 80. */
async function crop(whole: RawPicture, share: number): Promise<Sharp> {
  const width = Math.floor(whole.widthPx * share)
  const height = Math.floor(whole.heightPx * share)
  const left = Math.floor((whole.widthPx - width) * 0.37)
  const top = Math.floor((whole.heightPx - height) * 0.53)
  return draw(whole).extract({ left, top, width, height }).jpeg({ quality: 80 })
}

type Degradation = (picture: RawPicture) => Sharp | Promise<Sharp>
const degradations: Record<string, Degradation> = {
  'JPEG q60': (picture) => draw(picture).jpeg({ quality: 60 }),
  'JPEG q40': (picture) => draw(picture).jpeg({ quality: 40 }),
  'half size': (picture) => half(picture).png(),
  'half, JPEG q60': (picture) => half(picture).jpeg({ quality: 60 }),
  'WebP q60': (picture) => draw(picture).webp({ quality: 60 }),
  'half, WebP q60': (picture) => half(picture).webp({ quality: 60 }),
  'AVIF q50': (picture) => draw(picture).avif({ quality: 50, effort: 2 }),
  'a third': (picture) =>
    draw(picture)
      .resize(Math.round(picture.widthPx / 3))
      .jpeg(),
  mirrored: (picture) => draw(picture).flop().jpeg(),
  'crop 80 %': (picture) => crop(picture, 0.8),
  'crop 60 %': (picture) => crop(picture, 0.6),
  'crop 50 %': (picture) => crop(picture, 0.5),
  'crop 40 %': (picture) => crop(picture, 0.4),
  'crop 30 %': (picture) => crop(picture, 0.3),
  'half, crop 80 %': async (picture) => crop(await toRaw(half(picture)), 0.8),
  'half, crop 60 %': async (picture) => crop(await toRaw(half(picture)), 0.6),
}

async function toRaw(picture: Sharp): Promise<RawPicture> {
  const png = await picture.png({ compressionLevel: 0 }).toBuffer()
  const { data, info } = await sharp(png).removeAlpha().raw().toBuffer({ resolveWithObject: true })
  return { pixels: data, widthPx: info.width, heightPx: info.height }
}

async function readPhoto(file: string, size?: readonly [number, number]): Promise<RawPicture> {
  const upright = sharp(file).autoOrient().flatten().toColourspace('srgb')
  const [width, height] = size ?? [2048, 2048]
  return toRaw(
    size === undefined
      ? upright.resize(width, height, { fit: 'inside', withoutEnlargement: true })
      : upright.resize(width, height, { fit: 'cover', position: 'attention' }),
  )
}

/** Peak signal-to-noise ratio, in decibels. */
function psnr(a: RawPicture, b: RawPicture): number {
  let sum = 0
  for (let i = 0; i < a.pixels.length; i++) sum += (a.pixels[i]! - b.pixels[i]!) ** 2
  return 10 * Math.log10((255 ** 2 * a.pixels.length) / sum)
}

async function listPhotos(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true })
  return entries
    .filter((name) => /\.(?:jpe?g|png|webp)$/iu.test(name))
    .map((name) => path.join(folder, name))
    .toSorted()
}

export async function run(args: string[]): Promise<Section> {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: { synthetic: { type: 'string', default: '1000' } },
  })
  const lines = await measureSurvival()
  const alarms = await countFalseAlarms(positionals, Number(values.synthetic))
  return { title: 'The invisible mark', lines: [...lines, '', alarms] }
}

async function measureSurvival(): Promise<string[]> {
  const photos = (await listPhotos(fixtures)).filter((file) => file.endsWith('.jpg'))
  const columns = knownSizes.map(([width, height]) => `${width}×${height}`)
  const found = new Map(Object.keys(degradations).map((name) => [name, knownSizes.map(() => 0)]))
  const clarity = knownSizes.map(() => Infinity)
  for (const [column, size] of knownSizes.entries()) {
    for (const file of photos) {
      const original = await readPhoto(file, size)
      const marked = await embedMark(original, { id, key }, (made) => Promise.resolve(made))
      clarity[column] = Math.min(clarity[column]!, psnr(marked, original))
      for (const [name, degrade] of Object.entries(degradations)) {
        const worn = await toRaw(sharp(await (await degrade(marked)).toBuffer()))
        if ((await detectMark(worn, key)) === id) found.get(name)![column]! += 1
      }
    }
  }
  const rows = [...found].map(([name, counts]) => [name, ...counts.map(String)])
  const least = ['least PSNR, dB', ...clarity.map((value) => value.toFixed(1))]
  return [
    `${photos.length} photos, read of ${photos.length}:`,
    '',
    ...table(['', ...columns], [...rows, least]),
  ]
}

async function countFalseAlarms(folders: string[], syntheticCount: number): Promise<string> {
  let alarms = 0
  let photoCount = 0
  for (const folder of [fixtures, ...folders]) {
    for (const file of await listPhotos(folder)) {
      photoCount += 1
      if ((await detectMark(await readPhoto(file), key)) !== undefined) alarms += 1
    }
  }
  for (let i = 0; i < syntheticCount; i += 1) {
    if ((await detectMark(drawSynthetic(i), key)) !== undefined) alarms += 1
  }
  return `False alarms: ${alarms} of ${photoCount} photos and ${syntheticCount} synthetic pictures.`
}
