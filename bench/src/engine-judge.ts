import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { copyFile, mkdir, readdir, rename, writeFile } from 'node:fs/promises'
import { basename, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { sceneNames } from '@starside/engine/image-provider.ts'
import { randomFrom } from '@starside/engine/image/random-from.ts'
import { startJudgedEngine } from './engine/judged-engine.ts'
import type { JudgedEngine, PictureOrder } from './engine/judged-engine.ts'
import { groupByPerson } from './engine/group-by-person.ts'

const usage = `npm run bench -- engine-judge <folder of photos…> --against <checkout> --judge <tool> --to <folder> --key <folder>
npm run bench -- engine-judge --tally --judge <tool> --to <folder> --key <folder>
  --against <checkout>  the version to compare with: a checkout of the project, installed
  --judge <tool>        shuffles versions into sheets: '<tool> make OUT NAME=FOLDER…', '<tool> tally OUT'
  --to <folder>         takes the sheets and the brief; nothing else may be there
  --key <folder>        takes the pictures and what tells which is which; judges don't see it
  --stars <folder>      photos of the stars (those that ship)
  --pairs <number>      photos of users, each person once before anybody twice, with one star after the other (60)
  --seed <number>       which people and photos (1)
  --scenes              in one scene after the other instead of before their own background
  --tally               of the scores that were written beside the sheets`

/**
 * Makes the same pictures by this engine and by another version, and lays them out for somebody who
 * knows neither: shuffled, without names. Afterwards tells how both were judged, and a sign test.
 */
export async function run(args: string[]): Promise<void> {
  const options = readOptions(args)
  if (!options) {
    console.error(usage)
    process.exitCode = 2
    return
  }
  const { judge, to, key } = options
  if (!existsSync(judge)) {
    console.error(`There is no program at ${judge}: without it no sheets can be made or tallied.`)
    process.exitCode = 1
    return
  }
  if (options.tally) {
    await copyFile(join(to, 'scores.txt'), join(key, 'scores.txt'))
    return await runTool(judge, ['tally', key])
  }
  const versions = { old: join(key, 'old'), new: join(key, 'new') }
  for (const folder of [to, versions.old, versions.new]) await mkdir(folder, { recursive: true })
  await makePictures(options, versions)
  await runTool(judge, ['make', to, `old=${versions.old}`, `new=${versions.new}`])
  await rename(join(to, 'key.json'), join(key, 'key.json'))
}

function readOptions(args: string[]) {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      against: { type: 'string', default: '' },
      judge: { type: 'string', default: '' },
      to: { type: 'string', default: '' },
      key: { type: 'string', default: '' },
      stars: { type: 'string' },
      pairs: { type: 'string', default: '60' },
      seed: { type: 'string', default: '1' },
      scenes: { type: 'boolean', default: false },
      tally: { type: 'boolean', default: false },
    },
  })
  const { judge, to, key, against, tally } = values
  const [pairs, seed] = [Number(values.pairs), Number(values.seed)]
  const lacksPlaces = judge === '' || to === '' || key === ''
  const lacksPhotos = !tally && (positionals.length === 0 || against === '')
  if (lacksPlaces || lacksPhotos || !(pairs > 0) || !Number.isInteger(seed)) return undefined
  const [tool, sheets, hidden] = [resolve(judge), resolve(to), resolve(key)]
  const given = { ...values, judge: tool, to: sheets, key: hidden, against: resolve(against) }
  return { ...given, folders: positionals.map((folder) => resolve(folder)), pairs, seed }
}

type JudgeOptions = NonNullable<ReturnType<typeof readOptions>>

const versionNames = ['old', 'new'] as const

/** Makes pairs by both versions until there are enough that neither refuses. */
async function makePictures(
  { folders, stars: folderOfStars, against, pairs, seed, scenes }: JudgeOptions,
  folderOf: Record<(typeof versionNames)[number], string>,
): Promise<void> {
  const random = randomFrom(seed)
  const photos = (await Promise.all(folders.map(listPhotos))).flat()
  const people = shuffled(await groupByPerson(photos), random)
  const users = inRounds(people.map((person) => shuffled(person, random)))
  const stars = shuffled(await listStars(folderOfStars), random)
  const shipped = sceneNames.filter((name) => name !== 'own')
  const project = fileURLToPath(new URL('../..', import.meta.url))
  const engines = [startJudgedEngine(against), startJudgedEngine(project)]
  const refused = new Map<string, number>()
  let made = 0
  try {
    for (const [n, user] of users.entries()) {
      if (made === pairs) break
      const order: PictureOrder = {
        user,
        star: stars[made % stars.length]!,
        scene: scenes ? shipped[made % shipped.length]! : 'own',
        seed: n,
      }
      if (await makeBoth(engines, order, (version) => join(folderOf[version], `${n}.png`), refused))
        made++
    }
  } finally {
    for (const engine of engines) engine.close()
  }
  console.log(`${photos.length} photos of ${people.length} people: ${made} pairs made`)
  for (const [reason, count] of [...refused].toSorted(([one], [other]) => one.localeCompare(other)))
    console.log(`  refused by ${reason}: ${count}`)
}

/** @returns whether both versions made the picture */
async function makeBoth(
  engines: readonly JudgedEngine[],
  order: PictureOrder,
  fileOf: (version: (typeof versionNames)[number]) => string,
  refused: Map<string, number>,
): Promise<boolean> {
  const answers = await Promise.all(engines.map((engine) => engine.make(order)))
  for (const [n, answer] of answers.entries()) {
    if (!('refusal' in answer)) continue
    const reason = `${versionNames[n]}, ${answer.refusal}`
    refused.set(reason, (refused.get(reason) ?? 0) + 1)
  }
  const pictures = answers.flatMap((answer) => ('picture' in answer ? [answer.picture] : []))
  if (pictures.length < versionNames.length) return false
  for (const [n, version] of versionNames.entries()) await writeFile(fileOf(version), pictures[n]!)
  return true
}

/** The photos of a folder; mattes (`*-alpha.png`) are none. */
async function listPhotos(folder: string): Promise<string[]> {
  const files = await readdir(folder)
  return files
    .filter((file) => /\.(?:jpe?g|png|webp|avif)$/i.test(file) && !/-alpha\./i.test(file))
    .toSorted()
    .map((file) => join(folder, file))
}

/** As the product takes them: those that ship come cut out. */
async function listStars(folder: string | undefined): Promise<string[]> {
  if (folder !== undefined) return await listPhotos(resolve(folder))
  const presets = fileURLToPath(new URL('../../server/presets', import.meta.url))
  const files = await readdir(presets, { recursive: true })
  return files
    .filter((file) => basename(file) === 'cutout.avif')
    .toSorted()
    .map((file) => join(presets, file))
}

/** One photo of each person, then another one of those who have more. */
function inRounds(people: readonly (readonly string[])[]): string[] {
  const most = Math.max(0, ...people.map((person) => person.length))
  return Array.from({ length: most }, (_, round) =>
    people.flatMap((person) => person[round] ?? []),
  ).flat()
}

function shuffled<Item>(items: readonly Item[], random: () => number): Item[] {
  return items
    .map((item) => ({ item, place: random() }))
    .toSorted((one, other) => one.place - other.place)
    .map(({ item }) => item)
}

async function runTool(tool: string, args: readonly string[]): Promise<void> {
  const project = fileURLToPath(new URL('../..', import.meta.url))
  const child = spawn(process.execPath, [tool, ...args], { cwd: project, stdio: 'inherit' })
  const [status] = (await once(child, 'close')) as [number | null]
  if (status !== 0) process.exitCode = 1
}
