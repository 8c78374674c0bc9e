import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { DemoPerson } from '@starside/contract/presets.ts'
import { z } from 'zod'
import { listPersonFolders, picturesOf, readPublicPicture } from './person-files.ts'
import type { PublicPicture } from './person-files.ts'

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
  return {
    list: () => people,
    readPicture: (name) => readPublicPicture(folders, name),
  }
}
