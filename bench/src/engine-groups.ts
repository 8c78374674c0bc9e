import { readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, parse, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { createCompositor } from '@starside/engine/compositor/compositor.ts'
import type { Compositor } from '@starside/engine/compositor/compositor.ts'
import type { BytePlane, RgbImage } from '@starside/engine/image/raster.ts'
import { randomFrom } from '@starside/engine/image/random-from.ts'
import { normalisePhoto } from '@starside/engine/photo/normalise.ts'
import { PhotoError } from '@starside/engine/photo/photo-error.ts'
import { decodePhoto } from './engine/decode-photo.ts'
import { composeGroup, cutOutPortrait } from './engine/group-case.ts'
import type { CutOutPortrait, GroupCase } from './engine/group-case.ts'
import { listPhotos } from './engine/judge-people.ts'
import { shrinkToTile, writeSheets } from './engine/judge-sheet.ts'
import type { SheetTile } from './engine/judge-sheet.ts'
import { savePicture } from './engine/save-picture.ts'
import { openStageProbe } from './engine/stage-probe.ts'
import type { StageProbe } from './engine/stage-probe.ts'

const usage = `npm run bench -- engine-groups <folder…> [options]
  --cases <number>   groups composed of two or three portraits of the folders (24)
  --seed <number>    which of them (1)
  --stars <folder>   sets each chosen person beside a star of it; the sheets show these pictures
  --save <folder>    keeps every such picture there as PNG
  --sheet <file>     where the sheets go, worst first (engine-groups.jpg among temporary files)`

/** How well one person was parted from the others. */
interface GroupError {
  /** Area of the others that came along, in parts of the person's own. */
  kept: number
  /** Part of the person's own area that is missing. */
  lost: number
}

/**
 * Composes group photos of portraits, so that it is known whose each pixel is, and measures what
 * comes along of the others when one person is cut out. The sheets show that in red, and what the
 * person lost in blue.
 */
export async function run(args: string[]): Promise<void> {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      cases: { type: 'string', default: '24' },
      seed: { type: 'string', default: '1' },
      stars: { type: 'string' },
      save: { type: 'string' },
      sheet: { type: 'string', default: join(tmpdir(), 'engine-groups.jpg') },
    },
  })
  const [cases, seed] = [Number(values.cases), Number(values.seed)]
  if (positionals.length === 0 || !(cases > 0) || !Number.isInteger(seed)) {
    console.error(usage)
    process.exitCode = 2
    return
  }
  const probe = await openStageProbe()
  const stars = values.stars === undefined ? [] : await listPhotos([resolve(values.stars)])
  const compositor = stars.length > 0 ? await createCompositor() : undefined
  const measured: (GroupError & SheetTile)[] = []
  try {
    const files = await listPhotos(positionals.map((folder) => resolve(folder)))
    for await (const group of randomGroups(probe, files, cases, seed)) {
      const cut = await cutOutOfGroup(probe, group)
      if (!cut) continue
      const error = groupError(cut.matte, group)
      const star = stars[(measured.length + seed) % stars.length]
      const picture =
        compositor && star
          ? await pictureWith(compositor, group, cut.faceIndex, star)
          : drawErrors(await decodePhoto(group.photo), cut.matte, group)
      if (!picture) continue
      const name = `${measured.length + 1} ${group.name}${star ? ` × ${parse(star).name}` : ''}`
      await savePicture(picture, values.save, name)
      measured.push({
        ...error,
        picture: await shrinkToTile(picture),
        caption: `${name}  +${percent(error.kept)} −${percent(error.lost)}`,
      })
    }
  } finally {
    await Promise.all([compositor?.close(), probe.close()])
  }
  printErrors(measured, cases, seed)
  const worstFirst = measured.toSorted((a, b) => b.kept + b.lost - a.kept - a.lost)
  console.log(`\nSheets, worst first: ${(await writeSheets(worstFirst, values.sheet)).join(', ')}`)
}

/** Two and three people in turn; the chosen one before and behind the others in turn. */
async function* randomGroups(
  probe: StageProbe,
  files: readonly string[],
  count: number,
  seed: number,
): AsyncGenerator<GroupCase> {
  const random = randomFrom(seed)
  const known = new Map<string, Promise<CutOutPortrait | undefined>>()
  const pick = async (others: readonly CutOutPortrait[]): Promise<CutOutPortrait> => {
    for (let tries = 0; tries < 200; tries++) {
      const file = files[Math.floor(random() * files.length)]!
      const portrait = known.get(file) ?? cutOutPortrait(probe, file)
      known.set(file, portrait)
      const found = await portrait
      if (found && !others.includes(found)) return found
    }
    throw new Error('The folders have too few portraits with both shoulders in the photo')
  }
  for (let n = 0; n < count; n++) {
    const people: CutOutPortrait[] = []
    const size = 2 + (n % 3 === 2 ? 1 : 0)
    while (people.length <= size) people.push(await pick(people))
    const behind = people.pop()!
    yield await composeGroup(probe, people, behind, n % 2 === 0, 1.25 + 0.35 * random())
  }
}

/** undefined where the chosen face isn't found. */
async function cutOutOfGroup(
  probe: StageProbe,
  group: GroupCase,
): Promise<{ matte: BytePlane; faceIndex: number } | undefined> {
  const { heads = [] } = await probe.ask({ kind: 'heads', image: await decodePhoto(group.photo) })
  const away = heads.map(({ centre }) =>
    Math.hypot(centre.x - group.face.x, centre.y - group.face.y),
  )
  const nearest = away.indexOf(Math.min(...away))
  if (!heads[nearest] || away[nearest]! > heads[nearest].size / 2) return undefined
  const { alpha } = await probe.ask({ kind: 'matte', photo: group.photo, faceIndex: nearest })
  return alpha && { matte: alpha, faceIndex: nearest }
}

/** The chosen person beside a star; undefined where the compositor refuses the pair. */
async function pictureWith(
  compositor: Compositor,
  { photo, name }: GroupCase,
  faceIndex: number,
  star: string,
): Promise<RgbImage | undefined> {
  try {
    const made = await compositor.generate({
      userPhoto: photo,
      userFaceIndexes: [faceIndex],
      stars: [{ photo: await normalisePhoto(await readFile(star)) }],
      aspect: '4:5',
      scene: 'own',
      seed: 0,
      resolution: 'standard',
    })
    return { data: made.pixels, width: made.widthPx, height: made.heightPx }
  } catch (error) {
    if (!(error instanceof PhotoError)) throw error
    console.log(`refused  ${name}: ${error.code}`)
    return undefined
  }
}

function groupError(matte: BytePlane, { own, others }: GroupCase): GroupError {
  let area = 0
  let kept = 0
  let lost = 0
  for (let i = 0; i < matte.data.length; i++) {
    area += own.data[i]!
    kept += Math.min(Math.max(0, matte.data[i]! - own.data[i]!), others.data[i]!)
    lost += Math.max(0, own.data[i]! - matte.data[i]!)
  }
  return { kept: kept / area, lost: lost / area }
}

/** The person over grey; red what came along, blue what is missing. */
function drawErrors(photo: RgbImage, matte: BytePlane, { own, others }: GroupCase): RgbImage {
  const data = new Uint8Array(photo.data.length)
  for (let i = 0; i < matte.data.length; i++) {
    const share = matte.data[i]! / 255
    const kept = Math.min(Math.max(0, matte.data[i]! - own.data[i]!), others.data[i]!) / 255
    const lost = Math.max(0, own.data[i]! - matte.data[i]!) / 255
    const tint = [kept * 150, 0, lost * 150]
    for (let c = 0; c < 3; c++) {
      const shown = photo.data[i * 3 + c]! * share + 90 * (1 - share)
      data[i * 3 + c] = Math.min(255, shown * (1 - 0.4 * (kept + lost)) + tint[c]!)
    }
  }
  return { ...photo, data }
}

function printErrors(
  measured: readonly (GroupError & SheetTile)[],
  cases: number,
  seed: number,
): void {
  console.log(`${measured.length} of ${cases} groups, seed ${seed}`)
  for (const [title, key] of [
    ['of the others came along / own area', 'kept'],
    ['of the person is missing / own area', 'lost'],
  ] as const) {
    const sorted = measured.map((each) => each[key]).toSorted((a, b) => a - b)
    const mean = sorted.reduce((sum, value) => sum + value, 0) / sorted.length
    const at = (part: number) => percent(sorted[Math.floor(part * (sorted.length - 1))] ?? 0)
    console.log(`  ${title}: mean ${percent(mean)}, median ${at(0.5)}, 90th percentile ${at(0.9)}`)
  }
}

const percent = (share: number): string => `${(share * 100).toFixed(1)} %`
