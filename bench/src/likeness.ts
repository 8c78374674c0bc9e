import { readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import sharp from 'sharp'
import { createCompositor } from '@starside/engine/compositor/compositor.ts'
import type { Compositor } from '@starside/engine/compositor/compositor.ts'
import { createRgb } from '@starside/engine/image/raster.ts'
import type { RgbImage } from '@starside/engine/image/raster.ts'
import type { NormalisedPhoto } from '@starside/engine/image-provider.ts'
import { faceCropSidePx } from '@starside/engine/compositor/faces/crop-face.ts'
import { normalisePhoto } from '@starside/engine/photo/normalise.ts'
import { PhotoError } from '@starside/engine/photo/photo-error.ts'
import { faceDistance, openFaceNetwork } from '@starside/server/generation/likeness/face-network.ts'
import type { DescribeFaces } from '@starside/server/generation/likeness/face-network.ts'
import { matchPeople } from '@starside/server/generation/likeness/match-people.ts'
import { likenessMinDefault } from '@starside/server/generation/vendors/models/model-card.ts'
import { listPhotos } from './engine/judge-people.ts'
import { shrinkToTile, writeSheets } from './engine/judge-sheet.ts'
import { pictureChanges } from './likeness/picture-changes.ts'
import { swapFace } from './likeness/swap-face.ts'

const usage = `npm run bench -- likeness <folder…> [options]; needs npm ci --ignore-scripts --prefix server/face-network
  --pairs <number>   pictures made of two people of the folders (24)
  --sheet <file>     where the sheet of errors goes (likeness.jpg among temporary files)`

interface Person {
  name: string
  photo: NormalisedPhoto
  crop: Uint8Array
  description: Float32Array
}

/** One comparison of a picture with two people's photos. */
interface Case {
  kind: 'good' | 'stranger' | 'swapped'
  name: string
  likeness: number
  /** The face of the photo that is least like, and those of the picture. */
  crops: readonly Uint8Array[]
}

/**
 * Makes pictures of people, changes them as hosted models do, and compares their faces with the right
 * photos, with those of others, and after a stranger's face was put in. Prints for each threshold how
 * many good pictures it would refuse and how many strangers it would catch.
 */
export async function run(args: string[]): Promise<void> {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      pairs: { type: 'string', default: '24' },
      sheet: { type: 'string', default: join(tmpdir(), 'likeness.jpg') },
    },
  })
  const pairs = Number(values.pairs)
  if (positionals.length === 0 || !(pairs > 0)) {
    console.error(usage)
    process.exitCode = 2
    return
  }
  const compositor = await createCompositor()
  const describe = await openFaceNetwork()
  try {
    const files = await listPhotos(positionals.map((folder) => resolve(folder)))
    const people = await readPeople(compositor, describe, files)
    const cases: Case[] = []
    for (let n = 0; n < pairs; n += 1) {
      const [user, star] = [people[n % people.length]!, people[(n * 7 + 3) % people.length]!]
      if (user !== star)
        cases.push(...(await measurePair(compositor, describe, people, [user, star])))
    }
    printCurve(cases)
    const errors = cases.filter(
      ({ kind, likeness }) => (kind === 'good') === likeness < likenessMinDefault,
    )
    for (const { kind, name, likeness } of errors)
      console.log(`${kind.padEnd(9)} ${likeness.toFixed(3)} ${name}`)
    const sheets = await drawErrors(errors, resolve(values.sheet))
    console.log(`\n${errors.length} errors at ${likenessMinDefault}: ${sheets.join(' ')}`)
  } finally {
    await compositor.close()
  }
}

async function readPeople(
  compositor: Compositor,
  describe: DescribeFaces,
  files: readonly string[],
): Promise<Person[]> {
  const people: Person[] = []
  for (const file of files) {
    const photo = await normalisePhoto(await readFile(file))
    const { refusals } = await compositor.inspect(photo)
    const [face, ...others] = await compositor.cropFaces(photo)
    if (face === undefined || others.length > 0 || refusals.length > 0) continue
    const [description] = await describe(face.crop)
    people.push({ name: basename(file), photo, crop: face.crop, description: description! })
  }
  console.log(`${people.length} people`)
  return people
}

async function measurePair(
  compositor: Compositor,
  describe: DescribeFaces,
  people: readonly Person[],
  pair: readonly [Person, Person],
): Promise<Case[]> {
  const [user, star] = pair
  const made = await compositor
    .generate({
      userPhoto: user.photo,
      stars: [{ photo: star.photo }],
      aspect: '4:5',
      resolution: 'standard',
    })
    .catch((error: unknown) => {
      if (error instanceof PhotoError) return undefined
      throw error
    })
  if (made === undefined) return []
  const raw = { width: made.widthPx, height: made.heightPx, channels: 3 } as const
  const cases: Case[] = []
  for (const [change, edit] of Object.entries(pictureChanges)) {
    const { data, info } = await edit(sharp(made.pixels, { raw }))
      .jpeg({ quality: 92 })
      .toBuffer({ resolveWithObject: true })
    const faces = await compositor.cropFaces({
      bytes: data,
      mediaType: 'image/jpeg',
      widthPx: info.width,
      heightPx: info.height,
      hasMatte: false,
    })
    if (faces.length < 2) continue
    const crops = faces.slice(0, 2).map(({ crop }) => crop)
    const found = await describe(Buffer.concat(crops))
    const name = `${user.name} × ${star.name}, ${change}`
    cases.push(caseOf('good', name, pair, { crops, found }))
    if (change !== 'as made') continue
    const strangers = people.filter(
      (person) => person !== user && person !== star && isAlike(person, user),
    )
    for (const stranger of strangers) {
      cases.push(
        caseOf('stranger', `${name} for ${stranger.name}`, [stranger, star], { crops, found }),
      )
    }
    for (const stranger of strangers.slice(0, 3)) {
      const own = nearestTo(user, found)
      const swapped = crops.map((crop, n) => (n === own ? swapFace(crop, stranger.crop) : crop))
      const described = await describe(Buffer.concat(swapped))
      cases.push(
        caseOf('swapped', `${name} with ${stranger.name}`, pair, {
          crops: swapped,
          found: described,
        }),
      )
    }
  }
  return cases
}

/** Strangers of the same sex are the harder ones; the portraits' names begin with it. */
function isAlike(one: Person, other: Person): boolean {
  const sexOf = ({ name }: Person) => /^[fm](?=\d)/.exec(name)?.[0]
  return sexOf(one) === sexOf(other)
}

function nearestTo(person: Person, found: readonly Float32Array[]): number {
  const far = found.map((face) => faceDistance(face, person.description))
  return far.indexOf(Math.min(...far))
}

function caseOf(
  kind: Case['kind'],
  name: string,
  pair: readonly [Person, Person],
  { crops, found }: { crops: readonly Uint8Array[]; found: readonly Float32Array[] },
): Case {
  const all = [...pair.map(({ description }) => description), ...found]
  const distances = all.map((one) => all.map((other) => faceDistance(one, other)))
  const each = matchPeople(distances, 2)
  const worst = each[0]! < each[1]! ? pair[0] : pair[1]
  return {
    kind,
    name,
    likeness: Math.min(...each),
    crops: [worst.crop, ...crops],
  }
}

function printCurve(cases: readonly Case[]): void {
  const of = (kind: Case['kind']) => cases.filter((each) => each.kind === kind)
  const [good, strangers, swapped] = [of('good'), of('stranger'), of('swapped')]
  const below = (some: readonly Case[], threshold: number) =>
    `${((100 * some.filter(({ likeness }) => likeness < threshold).length) / some.length).toFixed(1)} %`.padStart(
      9,
    )
  console.log(
    `\n${good.length} good, ${strangers.length} strangers, ${swapped.length} swapped faces`,
  )
  console.log('threshold  refused   caught  swapped')
  for (let threshold = 0.3; threshold < 0.701; threshold += 0.05) {
    console.log(
      threshold.toFixed(2).padStart(9),
      below(good, threshold),
      below(strangers, threshold),
      below(swapped, threshold),
    )
  }
  for (const change of Object.keys(pictureChanges)) {
    const some = good
      .filter(({ name }) => name.endsWith(`, ${change}`))
      .map(({ likeness }) => likeness)
    console.log(`${change.padEnd(20)} lowest ${Math.min(...some).toFixed(3)}`)
  }
}

async function drawErrors(errors: readonly Case[], file: string): Promise<string[]> {
  const tiles = errors.map(async ({ crops, name, likeness }) => ({
    picture: await shrinkToTile(joinCrops(crops)),
    caption: `${likeness.toFixed(2)} ${name}`,
  }))
  return await writeSheets(await Promise.all(tiles), file)
}

/** Crops beside each other. */
function joinCrops(crops: readonly Uint8Array[]): RgbImage {
  const side = faceCropSidePx
  const joined = createRgb(side * crops.length, side)
  for (const [n, crop] of crops.entries()) {
    for (let y = 0; y < side; y += 1) {
      const row = crop.subarray(y * side * 3, (y + 1) * side * 3)
      joined.data.set(row, (y * crops.length + n) * side * 3)
    }
  }
  return joined
}
