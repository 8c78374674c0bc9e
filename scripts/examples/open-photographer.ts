import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { createEngine } from '@starside/engine/engine.ts'
import type { NormalisedPhoto } from '@starside/engine/image-provider.ts'
import { PhotoError } from '@starside/engine/photo/photo-error.ts'
import { peopleFolder } from '../../server/src/stars/person-files.ts'
import { loadPresets } from '../../server/src/stars/presets.ts'
import type { ExamplePair } from './example-list.ts'

/** Makes the example selfies with the embedded compositor, the way the product makes them. */
export interface Photographer {
  /** The whole portrait of a person or a star, JPEG. */
  readPortrait(id: string): Promise<Uint8Array>
  /** A finished picture without the brand mark, JPEG. */
  photograph(pair: ExamplePair): Promise<Uint8Array>
  /** The same; the refusal's code where the two can't be in one picture. */
  tryToPhotograph(pair: ExamplePair): Promise<Uint8Array | string>
  close(): Promise<void>
}

/** @param systemVersion what the pictures name as the program that made them */
export async function openPhotographer(systemVersion: string): Promise<Photographer> {
  const engine = createEngine()
  const presets = await loadPresets(engine, '')
  const people = new Map<string, Promise<NormalisedPhoto>>()
  const taken = new Map<string, Promise<Uint8Array>>()

  function readPerson(id: string): Promise<NormalisedPhoto> {
    const known = people.get(id)
    if (known !== undefined) return known
    const file = path.join(peopleFolder, id, 'picture.jpg')
    const photo = readFile(file).then((bytes) => engine.normalise(bytes))
    people.set(id, photo)
    return photo
  }

  async function take(pair: ExamplePair): Promise<Uint8Array> {
    const { clean } = await engine.makeSelfie({
      userPhoto: await readPerson(pair.face),
      stars: [{ photo: await presets.readPhoto(pair.star) }],
      scene: 'own',
      aspect: '4:5',
      resolution: pair.resolution ?? 'standard',
      watermarkText: 'starside',
      systemVersion,
    })
    return clean
  }

  /** Several outputs show the same picture. */
  function photograph(pair: ExamplePair): Promise<Uint8Array> {
    const key = JSON.stringify([pair.face, pair.star, pair.resolution])
    const known = taken.get(key)
    if (known !== undefined) return known
    const picture = take(pair)
    taken.set(key, picture)
    return picture
  }

  return {
    async readPortrait(id) {
      const isStar = presets.find(id) !== undefined
      return (await (isStar ? presets.readPortrait(id) : readPerson(id))).bytes
    },
    photograph,
    async tryToPhotograph(pair) {
      try {
        return await take(pair)
      } catch (error) {
        if (error instanceof PhotoError) return `${error.code} (${error.photo ?? 'both'})`
        throw error
      }
    },
    close: () => engine.close(),
  }
}
