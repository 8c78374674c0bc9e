import { readdir, readFile } from 'node:fs/promises'
import { join, parse } from 'node:path'
import type { NormalisedPhoto } from '@starside/engine/image-provider.ts'
import { litPerson } from '@starside/engine/compositor/placed-people.ts'
import { isBetterMirrored } from '@starside/engine/compositor/relight/plan-relight.ts'
import { normalisePhoto } from '@starside/engine/photo/normalise.ts'
import { PhotoError } from '@starside/engine/photo/photo-error.ts'
import type { PhotoRefusal } from '@starside/engine/photo/photo-error.ts'
import { randomFrom } from '@starside/engine/image/random-from.ts'
import type { StageProbe, PersonReading } from './stage-probe.ts'

/** A photo of the folder: what the compositor reads of it, or why it refuses it. */
export type JudgedPhoto =
  | {
      file: string
      name: string
      photo: NormalisedPhoto
      /** Of the photo, mirrored where it says so. */
      reading: PersonReading
      isMirrored: boolean
    }
  | { file: string; name: string; refusals: readonly PhotoRefusal[] }

export type UsablePhoto = Extract<JudgedPhoto, { reading: PersonReading }>

/** Reads every photo once, however many pairs it is part of. */
export function openReader(probe: StageProbe): (file: string) => Promise<JudgedPhoto> {
  const known = new Map<string, Promise<JudgedPhoto>>()
  return (file) => {
    const reading = known.get(file) ?? readPerson(probe, file)
    known.set(file, reading)
    return reading
  }
}

/** Mirrors the star where the compositor would, so that the layout is judged that it makes. */
export function openMirror(
  probe: StageProbe,
): (user: UsablePhoto, star: UsablePhoto) => Promise<UsablePhoto> {
  const known = new Map<string, Promise<UsablePhoto>>()
  return async (user, star) => {
    if (!isBetterMirrored(litPerson(user.reading), litPerson(star.reading))) return star
    const mirrored = known.get(star.file) ?? mirrorPerson(probe, star)
    known.set(star.file, mirrored)
    return await mirrored
  }
}

async function mirrorPerson(probe: StageProbe, star: UsablePhoto): Promise<UsablePhoto> {
  const { person } = await probe.ask({ kind: 'person', photo: star.photo, mirrored: true })
  return person ? { ...star, reading: person, isMirrored: true } : star
}

async function readPerson(probe: StageProbe, file: string): Promise<JudgedPhoto> {
  const { name } = parse(file)
  try {
    const photo = await normalisePhoto(await readFile(file))
    const { person } = await probe.ask({ kind: 'person', photo })
    const refusals = person?.refusals ?? ['face_missing']
    if (!person || refusals.length > 0) return { file, name, refusals }
    return { file, name, photo, reading: person, isMirrored: false }
  } catch (error) {
    if (!(error instanceof PhotoError)) throw error
    return { file, name, refusals: [error.code] }
  }
}

/** The photos of folders; mattes (`*-alpha.png`) are none. */
export async function listPhotos(folders: readonly string[]): Promise<string[]> {
  const lists = await Promise.all(
    folders.map(async (folder) =>
      (await readdir(folder))
        .filter((file) => /\.(?:jpe?g|png|webp|avif)$/i.test(file) && !/-alpha\./i.test(file))
        .map((file) => join(folder, file)),
    ),
  )
  return lists.flat().toSorted()
}

/** Up to `count` different pairs of different photos, the same for the same seed. */
export function randomPairs(
  users: readonly string[],
  stars: readonly string[],
  count: number,
  seed: number,
): [string, string][] {
  const random = randomFrom(seed)
  const pick = (files: readonly string[]): string => files[Math.floor(random() * files.length)]!
  const pairs = new Map<string, [string, string]>()
  for (let tries = 0; pairs.size < count && tries < count * 20; tries++) {
    const pair: [string, string] = [pick(users), pick(stars)]
    if (pair[0] !== pair[1]) pairs.set(pair.join('\n'), pair)
  }
  return [...pairs.values()]
}
