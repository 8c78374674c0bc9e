import { readFile, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { PictureThumbnail, DemoPerson } from '@starside/contract/presets.ts'
import { fileURLToPath } from 'node:url'
import { z } from 'zod'

/** What an id of a preset or a person looks like; it is also the name of its folder. */
export const personIdPattern = /^[a-z0-9][a-z0-9-]{1,39}$/

/** The pictures that anybody may fetch: the end of the address after the id, and their files. */
const publicFiles = {
  '.jpg': { object: 'picture', file: 'picture.jpg', mediaType: 'image/jpeg' },
  '.thumbnail.avif': { object: 'thumbnailAvif', file: 'thumbnail.avif', mediaType: 'image/avif' },
  '.thumbnail.jpg': { object: 'thumbnailJpeg', file: 'thumbnail.jpg', mediaType: 'image/jpeg' },
} as const
type Ending = keyof typeof publicFiles

/** A folder of one preset or person and the names of its files. */
export type PersonFolder = { id: string; folder: string; files: ReadonlySet<string> }

/** The folders of presets or people in a folder, by name. A folder that doesn't exist holds none. */
export async function listPersonFolders(parent: string): Promise<PersonFolder[]> {
  const entries = await readdir(parent, { withFileTypes: true }).catch(() => [])
  const ids = entries
    .filter((entry) => entry.isDirectory() && personIdPattern.test(entry.name))
    .map((entry) => entry.name)
    .toSorted()
  return Promise.all(
    ids.map(async (id) => {
      const folder = join(parent, id)
      return { id, folder, files: new Set(await readdir(folder)) }
    }),
  )
}

/** The addresses of a person's pictures; without a thumbnail the picture stands in for it. */
export function picturesOf(
  base: '/api/presets' | '/api/people',
  { id, files }: PersonFolder,
): { image: string; thumbnail: PictureThumbnail } {
  const address = (ending: Ending) => `${base}/${id}${ending}`
  const has = (ending: Ending) => files.has(publicFiles[ending].file)
  return {
    image: address('.jpg'),
    thumbnail: {
      avif: has('.thumbnail.avif') ? address('.thumbnail.avif') : null,
      jpeg: address(has('.thumbnail.jpg') ? '.thumbnail.jpg' : '.jpg'),
    },
  }
}

/** A picture that may be fetched. */
export type PublicPicture = { bytes: Buffer; mediaType: string }

/** Reads a picture by its address's last part, an id with a known ending; undefined without one. */
export async function readPublicPicture(
  folders: readonly PersonFolder[],
  name: string,
): Promise<PublicPicture | undefined> {
  const { id: ownerId, found } = readAddress(name)
  const owner = folders.find(({ id }) => id === ownerId)
  if (owner === undefined || found === undefined || !owner.files.has(found.file)) return undefined
  return { bytes: await readFile(join(owner.folder, found.file)), mediaType: found.mediaType }
}

/** Whose picture the last part of an address names, and which; undefined where it is none. */
export function readAddress(name: string) {
  const dot = name.indexOf('.')
  const found = Object.entries(publicFiles).find(([ending]) => ending === name.slice(dot))
  return { id: name.slice(0, dot), found: found?.[1] }
}

/** Where the people lie whose photos anybody may use to try the product. */
export const peopleFolder = fileURLToPath(new URL('../../people/', import.meta.url))

const personFile = z.object({
  licence: z.string(),
  attribution: z.string(),
  source: z.string(),
  aiGenerated: z.literal(true),
})

/** People who don't exist, to try the product with. */
export interface People {
  list(): DemoPerson[]
  readPicture(name: string): Promise<PublicPicture | undefined>
}

/** Reads who there is; the pictures are read when they are asked for. */
export async function loadPeople(): Promise<People> {
  const folders = await listPersonFolders(peopleFolder)
  const people = await Promise.all(
    folders.map(async (person): Promise<DemoPerson> => {
      const text = await readFile(join(person.folder, 'person.json'), 'utf8')
      const { licence, attribution } = personFile.parse(JSON.parse(text))
      return { id: person.id, ...picturesOf('/api/people', person), licence, attribution }
    }),
  )
  return { list: () => people, readPicture: (name) => readPublicPicture(folders, name) }
}
