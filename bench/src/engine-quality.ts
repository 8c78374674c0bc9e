import { readdir, readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join, parse, resolve } from 'node:path'
import { createCompositor } from '@starside/engine/compositor/compositor.ts'
import { pictureSizes } from '@starside/engine/picture-sizes.ts'
import type { Compositor } from '@starside/engine/compositor/compositor.ts'
import type { LayoutSubject } from '@starside/engine/compositor/layout/layout-subject.ts'
import type { RgbImage } from '@starside/engine/image/raster.ts'
import { applySimilarity } from '@starside/engine/image/warp.ts'
import type { NormalisedPhoto } from '@starside/engine/image-provider.ts'
import { normalisePhoto } from '@starside/engine/photo/normalise.ts'
import { PhotoError } from '@starside/engine/photo/photo-error.ts'
import { drawContactSheet } from './engine/contact-sheet.ts'
import type { SheetRow } from './engine/contact-sheet.ts'
import { embeddingAt, openIdentityMeter } from './engine/identity.ts'
import type { IdentityMeter } from './engine/identity.ts'
import { openStageProbe } from './engine/stage-probe.ts'
import type { StageProbe } from './engine/stage-probe.ts'
import { findExactAlphas, readExactAlpha } from './engine/exact-alpha.ts'
import { closest, cosinesOf, nearest, totalOf } from './engine/match-faces.ts'
import { mattingError } from '@starside/engine/models/matting/matting-error.ts'
import { choosePairs } from './engine/pairs.ts'
import { decodePhoto } from './engine/decode-photo.ts'
import { layOutPair } from './engine/pair-layout.ts'

interface Person {
  file: string
  photo: NormalisedPhoto
  subject: LayoutSubject
  image: RgbImage
}

interface PairResult {
  facesFound: number
  /** |size of the user's head / size of the star's head − 1| */
  headSizeError: number
  identities: number[]
  /** Length of photo borders that show, in head sizes. */
  borderCut: number
  ms: number
}

const usage = 'npm run bench -- engine-quality <folder> [<folder of stars>] [--sheet <file.jpg>]'

/**
 * Makes pictures of the people in a folder and measures them: faces found again, head sizes,
 * identity by an independent network, borders of photos that show, mattes against exact ones.
 * With a second folder its photos are the stars; cut-outs (`*-cutout.png`) are taken before photos.
 */
export async function run(args: string[]): Promise<void> {
  const sheetAt = args.indexOf('--sheet')
  const sheet = sheetAt < 0 ? join(tmpdir(), 'engine-quality.jpg') : args[sheetAt + 1]
  const [folder, stars] = args.filter((_, i) => sheetAt < 0 || (i !== sheetAt && i !== sheetAt + 1))
  if (!folder || !sheet) {
    console.error(usage)
    process.exitCode = 2
    return
  }
  const compositor = await createCompositor()
  const probe = await openStageProbe()
  const identity = await openIdentityMeter()
  try {
    const people = await readPeople(probe, compositor, resolve(folder))
    const guests = stars ? await readPeople(probe, compositor, resolve(stars)) : people
    const rows = await measurePairs(compositor, probe, identity, people, guests)
    await printMatting(probe, resolve(folder))
    await drawContactSheet(rows, sheet)
    console.log(`\nContact sheet: ${sheet}`)
  } finally {
    await Promise.all([compositor.close(), probe.close()])
  }
}

async function readPeople(
  probe: StageProbe,
  compositor: Compositor,
  folder: string,
): Promise<Person[]> {
  const people: Person[] = []
  console.log(`\nPhotos in ${basename(folder)}`)
  for (const file of (await readdir(folder)).toSorted()) {
    if (!/\.(?:jpe?g|png|webp|avif)$/i.test(file) || /-alpha\.png$/i.test(file)) continue
    const photo = await normalisePhoto(await readFile(join(folder, file)))
    const { faces, refusals, hints } = await compositor.inspect(photo)
    const words = [...refusals, ...hints].join(', ')
    console.log(`  ${file.padEnd(28)} ${String(faces.length).padStart(2)} face(s)  ${words}`)
    const { subject } = refusals.length === 0 ? await probe.ask({ kind: 'subject', photo }) : {}
    if (!subject) continue
    people.push({ file, photo, subject, image: await decodePhoto(photo) })
  }
  return people
}

async function measurePairs(
  compositor: Compositor,
  probe: StageProbe,
  identity: IdentityMeter,
  people: readonly Person[],
  guests: readonly Person[],
): Promise<SheetRow[]> {
  const pairs = choosePairs(people, guests)
  const results: PairResult[] = []
  const rows: SheetRow[] = []
  console.log(
    '\nuser × star                                    faces  head ±%  identity      cut    ms',
  )
  for (const [user, star] of pairs) {
    const name = `${parse(user.file).name} × ${parse(star.file).name}`
    try {
      const { result, picture } = await measurePair(compositor, probe, identity, user, star)
      results.push(result)
      rows.push({ user: user.image, star: star.image, result: picture })
      console.log(
        name.padEnd(48) +
          `${result.facesFound}/2`.padEnd(7) +
          (result.headSizeError * 100).toFixed(1).padStart(6) +
          '   ' +
          result.identities
            .map((value) => value.toFixed(2))
            .join(' ')
            .padEnd(11) +
          result.borderCut.toFixed(2).padStart(6) +
          result.ms.toFixed(0).padStart(7),
      )
    } catch (error) {
      if (!(error instanceof PhotoError)) throw error
      console.log(`${name.padEnd(48)}refused: ${error.code} (${error.photo})`)
    }
  }
  printSummary(results)
  return rows
}

async function measurePair(
  compositor: Compositor,
  probe: StageProbe,
  identity: IdentityMeter,
  user: Person,
  star: Person,
): Promise<{ result: PairResult; picture: RgbImage }> {
  const start = performance.now()
  const made = await compositor.generate({
    userPhoto: user.photo,
    stars: [{ photo: star.photo }],
    aspect: '4:5',
    resolution: 'standard',
  })
  const ms = performance.now() - start
  const picture = { data: made.pixels, width: made.widthPx, height: made.heightPx }
  const [width, height] = pictureSizes['4:5'].standard
  const layout = layOutPair(user.subject, star.subject, width, height)
  const heads = (await probe.ask({ kind: 'heads', image: picture })).heads ?? []
  const seen = [user, star].map((person, index) => {
    const wanted = applySimilarity(
      (index === 0 ? layout.user : layout.star).toPicture,
      person.subject.head.centre,
    )
    return nearest(heads, wanted, layout.headSize)
  })
  const [userHead, starHead] = seen
  const embedded = await identity.faces(picture)
  const results = seen.map(
    (head) => head && closest(embedded, head.centre.x / width, head.centre.y / height)?.embedding,
  )
  const sources = [
    await embeddingAt(identity, user.image, user.subject.head),
    await embeddingAt(identity, star.image, star.subject.head),
  ]
  // A star who was mirrored may stand on the other side than the photo as it is would have them.
  const identities = [results, results.toReversed()]
    .map((faces) => cosinesOf(sources, faces))
    .toSorted((one, other) => totalOf(other) - totalOf(one))[0]!
  return {
    picture,
    result: {
      facesFound: seen.filter(Boolean).length,
      headSizeError: userHead && starHead ? Math.abs(userHead.size / starHead.size - 1) : NaN,
      identities,
      borderCut: layout.visibleCut,
      ms,
    },
  }
}

function printSummary(results: readonly PairResult[]): void {
  const identities = results.flatMap((result) => result.identities).toSorted((a, b) => a - b)
  const errors = results.map((result) => result.headSizeError)
  const share = (test: (result: PairResult) => boolean): string =>
    `${results.filter(test).length}/${results.length}`
  console.log(`\n${results.length} pictures`)
  console.log(`  both faces found again   ${share((result) => result.facesFound === 2)}`)
  console.log(`  head sizes within 7 %    ${share((result) => result.headSizeError <= 0.07)}`)
  console.log(`  largest head size error  ${(Math.max(...errors) * 100).toFixed(1)} %`)
  console.log(
    `  identity cosine          median ${identities[identities.length >> 1]?.toFixed(3)}, ` +
      `min ${identities[0]?.toFixed(3)} (bars: 0.93, 0.85; n = ${identities.length})`,
  )
  console.log(`  borders that show        ${share((result) => result.borderCut > 0.1)}`)
  const times = results.map((result) => result.ms).toSorted((a, b) => a - b)
  console.log(`  compositor               p50 ${times[times.length >> 1]?.toFixed(0)} ms`)
}

async function printMatting(probe: StageProbe, folder: string): Promise<void> {
  const cases = await findExactAlphas(folder)
  if (cases.length === 0) return
  console.log('\nmatting, at 1024 pixels                          MAD  edge band (8 px)')
  const errors = []
  for (const each of cases) {
    const { photo, alpha } = await readExactAlpha(each)
    const matte = (await probe.ask({ kind: 'matte', photo })).alpha
    if (!matte) continue
    const error = mattingError(matte, alpha)
    errors.push(error)
    console.log(
      each.name.padEnd(46) +
        error.mad.toFixed(4).padStart(8) +
        error.edgeMad.toFixed(4).padStart(9),
    )
  }
  const mean = (values: number[]): string =>
    (values.reduce((sum, value) => sum + value, 0) / values.length).toFixed(4)
  const median = (values: number[]): string =>
    values.toSorted((a, b) => a - b)[values.length >> 1]!.toFixed(4)
  const mads = errors.map((error) => error.mad)
  const edges = errors.map((error) => error.edgeMad)
  console.log(`${'mean'.padEnd(46)}${mean(mads).padStart(8)}${mean(edges).padStart(9)}`)
  console.log(`${'median'.padEnd(46)}${median(mads).padStart(8)}${median(edges).padStart(9)}`)
  console.log(`bars: MAD 0.0045, edge band 0.045; n = ${errors.length}`)
}
