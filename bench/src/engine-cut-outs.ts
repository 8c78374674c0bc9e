import { readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, parse, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import sharp from 'sharp'
import type { Frame } from '@starside/engine/compositor/shared-frames.ts'
import { createRgb } from '@starside/engine/image/raster.ts'
import type { RgbImage } from '@starside/engine/image/raster.ts'
import { normalisePhoto } from '@starside/engine/photo/normalise.ts'
import { PhotoError } from '@starside/engine/photo/photo-error.ts'
import { findSpecks } from './engine/find-specks.ts'
import { listPhotos } from './engine/judge-people.ts'
import { shrinkToTile, writeSheets } from './engine/judge-sheet.ts'
import type { SheetTile } from './engine/judge-sheet.ts'
import { savePicture } from './engine/save-picture.ts'
import { openStageProbe } from './engine/stage-probe.ts'
import type { StageProbe } from './engine/stage-probe.ts'

const usage = `npm run bench -- engine-cut-outs <folder…> [options]
  --heads <sizes>    pixels of a head, each photo at each size (470,300)
  --save <folder>    keeps every cut-out there as PNG
  --sheet <file>     where the sheets go, most specks first (engine-cut-outs.jpg among temporary files)`

/** A speck of so many squares of a head size is seen at arm's length: 5 by 5 pixels of 470. */
const speckMin = 1e-4

/**
 * Cuts everybody out of the photos of folders, as they come into pictures, and counts what hangs in
 * the air beside them. The sheets show them before a colour far from their photo's own background.
 */
export async function run(args: string[]): Promise<void> {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      heads: { type: 'string', default: '470,300' },
      save: { type: 'string' },
      sheet: { type: 'string', default: join(tmpdir(), 'engine-cut-outs.jpg') },
    },
  })
  const heads = values.heads.split(',').map(Number)
  if (positionals.length === 0 || !heads.every((size) => size >= 60 && size <= 1000)) {
    console.error(usage)
    process.exitCode = 2
    return
  }
  const probe = await openStageProbe()
  const tiles: (SheetTile & { specks: number; area: number })[] = []
  try {
    for (const file of await listPhotos(positionals.map((folder) => resolve(folder)))) {
      for (const headSize of heads) {
        const frame = await cutOut(probe, file, headSize)
        if (!frame) continue
        const specks = findSpecks(frame.alpha, headSize).filter(({ area }) => area >= speckMin)
        const area = specks.reduce((sum, speck) => sum + speck.area, 0)
        const name = `${parse(file).name} ${headSize}`
        const picture = before(frame, await oppositeColour(file))
        await savePicture(picture, values.save, name)
        tiles.push({
          picture: await shrinkToTile(picture),
          caption: `${name}  ${specks.length} specks ${(area * 1e4).toFixed(1)}`,
          specks: specks.length,
          area,
        })
        for (const { x, y, area: each } of specks) {
          const place = `${x.toFixed(0)}, ${y.toFixed(0)}`
          console.log(`  ${name.padEnd(16)} at ${place.padEnd(10)} ${(each * 1e4).toFixed(1)}`)
        }
      }
    }
  } finally {
    await probe.close()
  }
  const spotted = tiles.filter(({ specks }) => specks > 0).length
  const sum = tiles.reduce((total, { specks }) => total + specks, 0)
  console.log(`${tiles.length} cut-outs: ${sum} specks in ${spotted} of them`)
  const worstFirst = tiles.toSorted((one, other) => other.area - one.area)
  console.log(`\nSheets, worst first: ${(await writeSheets(worstFirst, values.sheet)).join(', ')}`)
}

/** @returns undefined where the photo can't be read or has no face */
async function cutOut(
  probe: StageProbe,
  file: string,
  headSize: number,
): Promise<Frame | undefined> {
  try {
    const photo = await normalisePhoto(await readFile(file))
    return (await probe.ask({ kind: 'cutOut', photo, headSize })).cutOut
  } catch (error) {
    if (!(error instanceof PhotoError)) throw error
    return undefined
  }
}

/** White before dark photos and dark blue before bright ones, so that what is left of them tells. */
async function oppositeColour(file: string): Promise<readonly [number, number, number]> {
  const { channels } = await sharp(file).removeAlpha().toColourspace('srgb').stats()
  const mean = channels.slice(0, 3).reduce((sum, channel) => sum + channel.mean / 3, 0)
  return mean < 110 ? [240, 238, 232] : [28, 40, 74]
}

function before({ image, alpha }: Frame, colour: readonly [number, number, number]): RgbImage {
  const result = createRgb(image.width, image.height)
  for (let i = 0; i < result.data.length; i++) {
    const share = alpha.data[Math.floor(i / 3)]! / 255
    result.data[i] = Math.round(image.data[i]! * share + colour[i % 3]! * (1 - share))
  }
  return result
}
