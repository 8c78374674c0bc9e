import { mkdir, mkdtempDisposable, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { loadPeople, listPersonFolders, personIdPattern } from './person-files.ts'
import { loadPresets, presetsFolderOf, shippedPresets } from './presets.ts'

let data: Awaited<ReturnType<typeof mkdtempDisposable>>
/** What was normalised, and whether the next is refused. */
let read: string[]
let refusal: Error | undefined
beforeEach(async () => {
  data = await mkdtempDisposable(join(tmpdir(), 'starside-presets-'))
  ;[read, refusal] = [[], undefined]
})
afterEach(() => data[Symbol.asyncDispose]())

/** Nothing is decoded: a file's bytes are its name. */
const engine = {
  async normalise(bytes: Uint8Array) {
    const name = Buffer.from(bytes).toString()
    read.push(name)
    const error = refusal
    refusal = undefined
    if (error !== undefined) throw error
    return { bytes, name }
  },
}
const load = () => loadPresets(engine as never, data.path)
const description = { name: 'Nova', licence: 'CC0', attribution: 'Somebody' }

async function add(id: string, files: readonly string[] = ['picture.jpg'], more: object = {}) {
  const folder = join(presetsFolderOf(data.path), id)
  await mkdir(folder, { recursive: true })
  for (const file of files) await writeFile(join(folder, file), `${id}/${file}`)
  await writeFile(join(folder, 'preset.json'), JSON.stringify({ ...description, ...more }))
}

describe('the presets', () => {
  test('are the shipped ones in their order, then the operator’s own by their names', async () => {
    await add('zoe')
    await add('abe')
    expect((await load()).list().map(({ id }) => id)).toEqual([...shippedPresets, 'abe', 'zoe'])
  })

  test('have an own one in the place of a shipped one of its id', async () => {
    await add('henrik-solmark')
    const presets = await load()
    expect(presets.list()[1]).toMatchObject({ id: 'henrik-solmark', name: 'Nova' })
    expect(presets.list()).toHaveLength(shippedPresets.length)
    expect(presets.find('henrik-solmark')?.name).toBe('Nova')
    expect(presets.find('nobody')).toBeUndefined()
  })

  test('are folders with an id’s name alone', async () => {
    for (const id of ['a', 'Abe', 'a b', '-ab', 'x'.repeat(41)]) await add(id)
    await add('x'.repeat(40))
    await add('ab')
    await writeFile(join(presetsFolderOf(data.path), 'file'), '')
    const found = await listPersonFolders(presetsFolderOf(data.path))
    expect(found.map(({ id }) => id)).toEqual(['ab', 'x'.repeat(40)])
    expect(await listPersonFolders(join(data.path, 'nowhere'))).toEqual([])
    expect(['ab', 'a-1', 'ab\n', 'ab/..', '../ab'].map((id) => personIdPattern.test(id))).toEqual([
      true,
      true,
      false,
      false,
      false,
    ])
  })
})

describe('a preset’s photo', () => {
  test.for<[readonly string[], string]>([
    [['picture.jpg', 'cutout.webp', 'cutout.avif'], 'cutout.avif'],
    [['picture.jpg', 'cutout.webp'], 'cutout.webp'],
    [['picture.jpg'], 'picture.jpg'],
  ])('of %j is %s, and the whole picture for a hosted model', async ([files, cutout]) => {
    await add('nova', files)
    const presets = await load()
    expect(await presets.readPhoto('nova')).toMatchObject({ name: `nova/${cutout}` })
    expect(await presets.readPortrait('nova')).toMatchObject({ name: 'nova/picture.jpg' })
  })

  test('is read once for everybody, and anew where that failed', async () => {
    await add('nova')
    const presets = await load()
    refusal = new Error('no memory')
    await expect(presets.readPhoto('nova')).rejects.toThrow('no memory')
    const [one, other] = await Promise.all([presets.readPhoto('nova'), presets.readPhoto('nova')])
    expect(one).toBe(other)
    expect(await presets.readPhoto('nova')).toBe(one)
    expect(read).toEqual(['nova/picture.jpg', 'nova/picture.jpg'])
  })

  test('of nobody is an error that names them', async () => {
    await expect((await load()).readPhoto('nobody')).rejects.toThrow("there is no preset 'nobody'")
  })
})

describe('a preset’s pictures', () => {
  test('have addresses for what there is, and are read by them', async () => {
    await add('nova', ['picture.jpg', 'thumbnail.avif', 'thumbnail.jpg', 'cutout.avif'])
    const presets = await load()
    expect(presets.find('nova')).toMatchObject({
      image: '/api/presets/nova.jpg',
      thumbnail: {
        avif: '/api/presets/nova.thumbnail.avif',
        jpeg: '/api/presets/nova.thumbnail.jpg',
      },
    })
    const picture = async (name: string) => {
      const found = await presets.readPicture(name)
      return found && [found.bytes.toString(), found.mediaType]
    }
    expect(await picture('nova.jpg')).toEqual(['nova/picture.jpg', 'image/jpeg'])
    expect(await picture('nova.thumbnail.jpg')).toEqual(['nova/thumbnail.jpg', 'image/jpeg'])
    expect(await picture('nova.thumbnail.avif')).toEqual(['nova/thumbnail.avif', 'image/avif'])
    for (const none of ['nova', 'nova.png', 'nobody.jpg', 'nova.cutout.avif', 'nova/../nova.jpg']) {
      expect(await picture(none), none).toBeUndefined()
    }
  })

  test('that are not there have no address and are not found', async () => {
    await add('nova')
    const presets = await load()
    expect(presets.find('nova')?.thumbnail).toEqual({ avif: null, jpeg: '/api/presets/nova.jpg' })
    expect(await presets.readPicture('nova.thumbnail.jpg')).toBeUndefined()
  })
})

describe('the people to try the product with', () => {
  test('have a picture, its licence and who made it', async () => {
    const people = await loadPeople()
    expect(people.list().length).toBeGreaterThan(0)
    for (const { id, image, licence, attribution } of people.list()) {
      expect(image).toBe(`/api/people/${id}.jpg`)
      expect(licence).not.toBe('')
      expect(attribution).not.toBe('')
      expect((await people.readPicture(`${id}.jpg`))?.mediaType).toBe('image/jpeg')
    }
  })
})
