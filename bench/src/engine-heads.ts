import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { createCompositor } from '@starside/engine/compositor/compositor.ts'
import type { Compositor } from '@starside/engine/compositor/compositor.ts'
import type { GenerateRequest, NormalisedPhoto } from '@starside/engine/image-provider.ts'
import { randomFrom } from '@starside/engine/image/random-from.ts'
import { normalisePhoto } from '@starside/engine/photo/normalise.ts'
import { PhotoError } from '@starside/engine/photo/photo-error.ts'
import { openPortraits } from './engine/company-photos.ts'
import { composeGroup } from './engine/group-case.ts'
import { listPhotos } from './engine/judge-people.ts'
import { openStageProbe } from './engine/stage-probe.ts'
import type { StageProbe } from './engine/stage-probe.ts'

const usage = `npm run bench -- engine-heads <folder…> [options]
  --stars <folder>   the stars' photos, or their cut-outs (the same folders)
  --sets <number>    sets of people, each with all companies in turn (3)
  --rounds <number>  how often each picture is made (4)
  --seed <number>    who is in them (1)
  --sheet            makes the whole sheet of variations, as the server does`

/** Faces of the own photo, and stars; every ratio is to the first. */
const companies = [
  { faces: 1, stars: 1 },
  { faces: 2, stars: 1 },
  { faces: 1, stars: 2 },
  { faces: 2, stars: 2 },
  { faces: 3, stars: 1 },
] as const

type Options = NonNullable<ReturnType<typeof readOptions>>

/** One company of one set of people. */
interface Case {
  name: string
  furtherHeads: number
  request: GenerateRequest
}

/** By the clock, and of all threads. */
interface Time {
  wallMs: number
  cpuMs: number
}

/**
 * What a further head costs: the same people as one, two and three faces of a photo, with one and two
 * stars, in turn within one run. Ratios are to one face and one star of the same set, so that they hold
 * on a busy machine as well.
 */
export async function run(args: string[]): Promise<void> {
  const options = readOptions(args)
  if (!options) {
    console.error(usage)
    process.exitCode = 2
    return
  }
  const probe = await openStageProbe()
  const sets = await composeSets(probe, options)
  const compositor = await createCompositor()
  const ratios = new Map<string, { furtherHeads: number; times: Time[] }>()
  try {
    for (const cases of sets) {
      const medians = await measure(compositor, cases, options)
      const first = medians[0]!
      for (const [n, { name, furtherHeads }] of cases.entries()) {
        const { wallMs, cpuMs } = medians[n]!
        const known = ratios.get(name) ?? { furtherHeads, times: [] }
        known.times.push({ wallMs: wallMs / first.wallMs, cpuMs: cpuMs / first.cpuMs })
        ratios.set(name, known)
        console.log(`  ${name}: ${wallMs.toFixed(0)} ms, CPU ${cpuMs.toFixed(0)} ms`)
      }
    }
  } finally {
    await Promise.all([compositor.close(), probe.close()])
  }
  printRatios(ratios)
}

function readOptions(args: string[]) {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      stars: { type: 'string' },
      sets: { type: 'string', default: '3' },
      rounds: { type: 'string', default: '4' },
      seed: { type: 'string', default: '1' },
      sheet: { type: 'boolean', default: false },
    },
  })
  const [sets, rounds, seed] = [values.sets, values.rounds, values.seed].map(Number)
  if (positionals.length === 0 || !(sets! > 0) || !(rounds! > 0) || !Number.isInteger(seed)) {
    return undefined
  }
  return {
    folders: positionals.map((folder) => resolve(folder)),
    stars: values.stars === undefined ? undefined : resolve(values.stars),
    sets: sets!,
    rounds: rounds!,
    seed: seed!,
    sheet: values.sheet,
  }
}

/** The cases of each set of people, whose portraits are cut out once. */
async function composeSets(
  probe: StageProbe,
  { folders, stars, sets, seed }: Options,
): Promise<Case[][]> {
  const random = randomFrom(seed)
  const pickPortraits = openPortraits(probe, await listPhotos(folders), random)
  const starFiles = await listPhotos(stars === undefined ? folders : [stars])
  const composed: Case[][] = []
  while (composed.length < sets) {
    const people = await pickPortraits(4)
    const at = Math.floor(random() * (starFiles.length - 1))
    const photos = await Promise.all(
      starFiles.slice(at, at + 2).map(async (file) => normalisePhoto(await readFile(file))),
    )
    composed.push(
      await Promise.all(companies.map((company) => composeCase(probe, people, photos, company))),
    )
  }
  return composed
}

/** Everybody's photo is composed alike, so that all have the same sort of edges and pixels. */
async function composeCase(
  probe: StageProbe,
  people: Awaited<ReturnType<ReturnType<typeof openPortraits>>>,
  starPhotos: readonly NormalisedPhoto[],
  { faces, stars }: (typeof companies)[number],
): Promise<Case> {
  const behind = people[people.length - 1]!
  const { photo } = await composeGroup(probe, people.slice(0, faces), behind, true, 1.25)
  return {
    name: `${faces} ${faces === 1 ? 'face' : 'faces'}, ${stars} ${stars === 1 ? 'star' : 'stars'}`,
    furtherHeads: faces + stars - 2,
    request: {
      userPhoto: photo,
      userFaceIndexes: Array.from({ length: faces }, (_, index) => index),
      stars: starPhotos.slice(0, stars).map((star) => ({ photo: star })),
      aspect: '4:5',
      resolution: 'standard',
    },
  }
}

/** Medians of all rounds but the first, which warms up. */
async function measure(
  compositor: Compositor,
  cases: readonly Case[],
  { rounds, sheet }: Options,
): Promise<Time[]> {
  const times: Time[][] = cases.map(() => [])
  for (let round = 0; round <= rounds; round++) {
    for (const [n, { name, request }] of cases.entries()) {
      const start = performance.now()
      const cpu = process.cpuUsage()
      try {
        await (sheet ? makeSheet(compositor, request) : compositor.generate(request))
      } catch (error) {
        if (!(error instanceof PhotoError)) throw error
        if (round === 0) console.log(`  ${name}: refused, ${error.code}`)
      }
      const { user, system } = process.cpuUsage(cpu)
      const time = { wallMs: performance.now() - start, cpuMs: (user + system) / 1000 }
      if (round > 0) times[n]!.push(time)
    }
  }
  return times.map((list) => ({
    wallMs: median(list.map(({ wallMs }) => wallMs)),
    cpuMs: median(list.map(({ cpuMs }) => cpuMs)),
  }))
}

async function makeSheet({ variations }: Compositor, request: GenerateRequest): Promise<void> {
  const made = await variations.makeSheet(request, 6, false)
  await made.variations
}

function printRatios(ratios: ReadonlyMap<string, { furtherHeads: number; times: Time[] }>): void {
  console.log('\nOf one face and one star, median of the sets; by each further head:')
  for (const [name, { furtherHeads, times }] of ratios) {
    const wall = median(times.map(({ wallMs }) => wallMs))
    const cpu = median(times.map(({ cpuMs }) => cpuMs))
    const each = (ratio: number): string =>
      furtherHeads === 0 ? '' : ` (${((ratio - 1) / furtherHeads).toFixed(2)})`
    console.log(`  ${name}: ${wall.toFixed(2)}${each(wall)}, CPU ${cpu.toFixed(2)}${each(cpu)}`)
  }
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other)
  return (sorted[(sorted.length - 1) >> 1]! + sorted[sorted.length >> 1]!) / 2
}
