import { readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { createCompositor } from '@starside/engine/compositor/compositor.ts'
import type { Compositor } from '@starside/engine/compositor/compositor.ts'
import { visibleCutMax } from '@starside/engine/compositor/make-picture.ts'
import type { RgbImage } from '@starside/engine/image/raster.ts'
import { sceneNames } from '@starside/engine/image-provider.ts'
import type { Aspect, GenerateRequest, Scene } from '@starside/engine/image-provider.ts'
import { normalisePhoto } from '@starside/engine/photo/normalise.ts'
import { pictureSizes } from '@starside/engine/picture-sizes.ts'
import { draftPicture } from './engine/draft-picture.ts'
import { judge, printFigures } from './engine/judge-figures.ts'
import type { JudgedPair, Judgement } from './engine/judge-figures.ts'
import { readPicture } from './engine/judge-picture.ts'
import { listPhotos, openMirror, openReader, randomPairs } from './engine/judge-people.ts'
import type { UsablePhoto } from './engine/judge-people.ts'
import { shrinkToTile, tileWidth, writeSheets } from './engine/judge-sheet.ts'
import type { SheetTile } from './engine/judge-sheet.ts'
import { openIdentityMeter } from './engine/identity.ts'
import type { IdentityMeter } from './engine/identity.ts'
import { savePicture } from './engine/save-picture.ts'
import { openStageProbe } from './engine/stage-probe.ts'
import type { StageProbe } from './engine/stage-probe.ts'
import { layOutPair } from './engine/pair-layout.ts'

const usage = `npm run bench -- engine-judge <folder…> [options]
  --stars <folder>   the stars' photos (the same folders)
  --pairs <number>   random pairs (60; 400 with --layout-only)
  --seed <number>    which random pairs (1)
  --aspect <ratio>   4:5, 1:1, 16:9 or 9:16 (4:5)
  --identity         measures identity too, by another network
  --scenes           makes each pair in every drawn scene, in the pairs' order (6 pairs)
  --backgrounds <folder>  sets each pair before the next photo of it
  --save <folder>    keeps every picture there as PNG
  --layout-only      judges places without making pictures; the sheets show drafts
  --sheet <file>     where the sheets go, worst first (engine-judge.jpg among temporary files)`

/**
 * Judges random pairs of the photos in folders: how both people stand in the picture, what is
 * refused, and what can be measured of the pictures themselves. Writes sheets, worst first.
 */
export async function run(args: string[]): Promise<void> {
  const options = readOptions(args)
  if (!options) {
    console.error(usage)
    process.exitCode = 2
    return
  }
  const users = await listPhotos(options.folders)
  const stars = options.stars ? await listPhotos([options.stars]) : users
  const pairs = randomPairs(users, stars, options.pairs, options.seed)
  const probe = await openStageProbe()
  const compositor = options.layoutOnly ? undefined : await createCompositor()
  const identity = options.identity ? await openIdentityMeter() : undefined
  const meters = { compositor, probe, identity }
  const places = options.backgrounds === undefined ? [] : await listPhotos([options.backgrounds])
  const read = openReader(probe)
  const mirror = openMirror(probe)
  const tally = new Map<string, string[]>()
  const judged: (Judgement & Pick<SheetTile, 'picture'>)[] = []
  try {
    for (const [userFile, starFile] of pairs) {
      const [user, star] = await Promise.all([read(userFile), read(starFile)])
      const refused = [user, star].find((person) => 'refusals' in person)
      if (refused) count(tally, `alone, ${refused.refusals[0]}`, refused.name)
      if ('refusals' in user || 'refusals' in star) continue
      const seen = await mirror(user, star)
      for (const scene of options.scenes) {
        // Every picture shows another one of its scene.
        const seed = judged.length
        const place = places[seed % places.length]
        const backgroundPhoto =
          place === undefined ? undefined : await normalisePhoto(await readFile(place))
        const view = { aspect: options.aspect, scene, seed, backgroundPhoto }
        const pair = await judgePair(meters, user, seen, view)
        const name = scene === 'own' ? '' : ` ${scene}`
        if (typeof pair === 'string') count(tally, pair, `${user.name} × ${star.name}`)
        else {
          const judgement = judge(pair)
          const picture = await drawTile(pair)
          const saved = `${judged.length + 1} ${judgement.name}${name}`
          if (pair.picture) await savePicture(pair.picture, options.save, saved)
          judged.push({ ...judgement, name: `${judgement.name}${name}`, picture })
        }
      }
    }
  } finally {
    await Promise.all([compositor?.close(), probe.close()])
  }
  console.log(`${pairs.length} pairs, seed ${options.seed}: ${judged.length} laid out`)
  printRefusals(tally)
  printFigures(judged)
  await showSheets(judged, options)
}

function readOptions(args: string[]) {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      stars: { type: 'string' },
      pairs: { type: 'string' },
      seed: { type: 'string', default: '1' },
      aspect: { type: 'string', default: '4:5' },
      identity: { type: 'boolean', default: false },
      scenes: { type: 'boolean', default: false },
      save: { type: 'string' },
      backgrounds: { type: 'string' },
      'layout-only': { type: 'boolean', default: false },
      sheet: { type: 'string', default: join(tmpdir(), 'engine-judge.jpg') },
    },
  })
  const layoutOnly = values['layout-only']
  const pairs = Number(values.pairs ?? (layoutOnly ? 400 : values.scenes ? 6 : 60))
  const seed = Number(values.seed)
  const isKnown = Object.hasOwn(pictureSizes, values.aspect)
  if (positionals.length === 0 || !(pairs > 0) || !Number.isInteger(seed) || !isKnown) {
    return undefined
  }
  return {
    folders: positionals.map((folder) => resolve(folder)),
    stars: values.stars,
    pairs,
    seed,
    aspect: values.aspect as Aspect,
    layoutOnly,
    scenes: values.scenes ? sceneNames.filter((name) => name !== 'own') : (['own'] as const),
    save: values.save,
    backgrounds: values.backgrounds,
    identity: values.identity && !layoutOnly,
    sheet: values.sheet,
  }
}

/** @returns the pair, or why it is refused though both photos are fine alone */
async function judgePair(
  meters: {
    compositor: Compositor | undefined
    probe: StageProbe
    identity: IdentityMeter | undefined
  },
  user: UsablePhoto,
  star: UsablePhoto,
  view: Required<Pick<GenerateRequest, 'aspect' | 'scene' | 'seed' | 'backgroundPhoto'>>,
): Promise<JudgedPair | string> {
  const { aspect, scene, backgroundPhoto } = view
  const [width, height] = pictureSizes[aspect].standard
  const layout = layOutPair(user.reading, star.reading, width, height)
  if (layout.visibleCut > visibleCutMax) return 'as a pair only, pair_too_tight'
  const made = await meters.compositor?.generate({
    userPhoto: user.photo,
    stars: [{ photo: star.photo }],
    ...view,
    resolution: 'standard',
  })
  const picture = made && { data: made.pixels, width: made.widthPx, height: made.heightPx }
  const pair: JudgedPair = { user, star, layout, width, height, picture, reading: undefined }
  if (picture) {
    const reading = await readPicture(meters.probe, meters.identity, pair, picture)
    // Nobody was removed from a drawn scene, nor the user from another photo.
    pair.reading =
      scene === 'own' && !backgroundPhoto ? reading : { ...reading, outlineResidue: undefined }
  }
  return pair
}

function count(tally: Map<string, string[]>, code: string, name: string): void {
  tally.set(code, [...(tally.get(code) ?? []), name])
}

function printRefusals(tally: ReadonlyMap<string, readonly string[]>): void {
  console.log('\nrefused')
  if (tally.size === 0) console.log('  none')
  for (const [code, names] of [...tally].toSorted(([one], [other]) => one.localeCompare(other))) {
    console.log(`  ${String(names.length).padStart(4)}  ${code}: ${[...new Set(names)].join(', ')}`)
  }
}

/** Only the small picture is kept, as there may be hundreds. */
async function drawTile(pair: JudgedPair): Promise<RgbImage> {
  return pair.picture ? await shrinkToTile(pair.picture) : draftPicture(pair, tileWidth)
}

async function showSheets(
  judged: readonly (Judgement & Pick<SheetTile, 'picture'>)[],
  { sheet, scenes }: { sheet: string; scenes: readonly Scene[] },
): Promise<void> {
  const inOrder =
    scenes.length > 1 ? judged : judged.toSorted((one, other) => other.fault - one.fault)
  const tiles = inOrder.map(({ name, fault, picture }, n) => ({
    picture,
    caption: `${n + 1}  ${name}  ${fault.toFixed(1)}`,
  }))
  const files = await writeSheets(tiles, sheet)
  const order = scenes.length > 1 ? 'a row for each pair' : 'worst first'
  console.log(`\nSheets, ${order}: ${files.join(', ')}`)
}
