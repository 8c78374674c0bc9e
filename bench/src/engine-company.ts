import { readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, parse, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { createCompositor } from '@starside/engine/compositor/compositor.ts'
import type { Compositor } from '@starside/engine/compositor/compositor.ts'
import { sceneNames } from '@starside/engine/image-provider.ts'
import type { Aspect, NormalisedPhoto, Scene } from '@starside/engine/image-provider.ts'
import { randomFrom } from '@starside/engine/image/random-from.ts'
import { normalisePhoto } from '@starside/engine/photo/normalise.ts'
import { PhotoError } from '@starside/engine/photo/photo-error.ts'
import { pictureSizes } from '@starside/engine/picture-sizes.ts'
import { openPortraits } from './engine/company-photos.ts'
import { composeGroup } from './engine/group-case.ts'
import { listPhotos } from './engine/judge-people.ts'
import { shrinkToTile, writeSheets } from './engine/judge-sheet.ts'
import type { SheetTile } from './engine/judge-sheet.ts'
import { savePicture } from './engine/save-picture.ts'
import { openStageProbe } from './engine/stage-probe.ts'
import type { StageProbe } from './engine/stage-probe.ts'

const usage = `npm run bench -- engine-company <folder…> [options]
  --stars <folder>   the stars' photos (the same folders)
  --groups <number>  pictures of two, three and four heads in turn (24)
  --seed <number>    who is in them (1)
  --aspect <ratio>   4:5, 1:1, 16:9 or 9:16 (4:5)
  --scenes           sets each in another drawn scene
  --save <folder>    keeps every picture there as PNG
  --sheet <file>     where the sheets go (engine-company.jpg among temporary files)`

/** How many faces of the own photo stand with how many stars, in turn. */
const companies = [
  { faces: 1, stars: 1 },
  { faces: 2, stars: 1 },
  { faces: 2, stars: 2 },
  { faces: 1, stars: 2 },
  { faces: 3, stars: 1 },
] as const

/** The people of one picture. */
interface Company {
  name: string
  photo: NormalisedPhoto
  faces: number
  stars: readonly NormalisedPhoto[]
}

/**
 * Makes pictures of two to four heads. Who comes from one photo is composed into one from portraits,
 * each in their own light, so that hair and light between them say nothing of the compositor. Prints
 * what was refused.
 */
export async function run(args: string[]): Promise<void> {
  const options = readOptions(args)
  if (!options) {
    console.error(usage)
    process.exitCode = 2
    return
  }
  const probe = await openStageProbe()
  const compositor = await createCompositor()
  const tiles: SheetTile[] = []
  let refused = 0
  try {
    for await (const company of randomCompanies(probe, options)) {
      const heads = company.faces + company.stars.length
      const name = `${tiles.length + refused + 1} ${heads} heads ${company.name}`
      const made = await makeCompany(compositor, company, options, tiles.length)
      if ('code' in made) {
        refused++
        console.log(`refused  ${name}: ${made.code}`)
        continue
      }
      tiles.push({ picture: await shrinkToTile(made.picture), caption: name })
      await savePicture(made.picture, options.save, name)
    }
  } finally {
    await Promise.all([compositor.close(), probe.close()])
  }
  console.log(`${tiles.length} pictures, ${refused} refused, seed ${options.seed}`)
  console.log(`\nSheets: ${(await writeSheets(tiles, options.sheet)).join(', ')}`)
}

type Options = NonNullable<ReturnType<typeof readOptions>>

function readOptions(args: string[]) {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      stars: { type: 'string' },
      groups: { type: 'string', default: '24' },
      seed: { type: 'string', default: '1' },
      aspect: { type: 'string', default: '4:5' },
      scenes: { type: 'boolean', default: false },
      save: { type: 'string' },
      sheet: { type: 'string', default: join(tmpdir(), 'engine-company.jpg') },
    },
  })
  const [groups, seed] = [Number(values.groups), Number(values.seed)]
  const isKnown = Object.hasOwn(pictureSizes, values.aspect)
  if (positionals.length === 0 || !(groups > 0) || !Number.isInteger(seed) || !isKnown) {
    return undefined
  }
  const drawn: readonly Scene[] = sceneNames.filter((name) => name !== 'own')
  return {
    folders: positionals.map((folder) => resolve(folder)),
    stars: values.stars === undefined ? undefined : resolve(values.stars),
    groups,
    seed,
    aspect: values.aspect as Aspect,
    scenes: values.scenes ? drawn : (['own'] as const),
    save: values.save,
    sheet: values.sheet,
  }
}

async function* randomCompanies(
  probe: StageProbe,
  { folders, stars: starFolder, groups, seed }: Options,
): AsyncGenerator<Company> {
  const random = randomFrom(seed)
  const users = await listPhotos(folders)
  const stars = starFolder === undefined ? users : await listPhotos([starFolder])
  const pickPortraits = openPortraits(probe, users, random)
  for (let n = 0; n < groups; n++) {
    const { faces, stars: starCount } = companies[n % companies.length]!
    const people = await pickPortraits(faces + 1)
    const behind = people.pop()!
    const files = new Set<string>()
    while (files.size < starCount) files.add(stars[Math.floor(random() * stars.length)]!)
    const photo =
      faces === 1
        ? people[0]!.photo
        : (await composeGroup(probe, people, behind, true, 1.1 + 0.3 * random())).photo
    yield {
      name: `${people.map(({ name }) => name).join(' + ')} × ${[...files].map((file) => parse(file).name).join(' + ')}`,
      photo,
      faces,
      stars: await Promise.all(
        [...files].map(async (file) => await normalisePhoto(await readFile(file))),
      ),
    }
  }
}

async function makeCompany(
  compositor: Compositor,
  { photo, faces, stars }: Company,
  { aspect, scenes }: Options,
  seed: number,
) {
  try {
    const made = await compositor.generate({
      userPhoto: photo,
      userFaceIndexes: Array.from({ length: faces }, (_, index) => index),
      stars: stars.map((star) => ({ photo: star })),
      scene: scenes[seed % scenes.length],
      seed,
      aspect,
      resolution: 'standard',
    })
    const picture = { data: made.pixels, width: made.widthPx, height: made.heightPx }
    return { picture }
  } catch (error) {
    if (error instanceof PhotoError) return { code: error.code }
    throw error
  }
}
