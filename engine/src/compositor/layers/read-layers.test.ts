import { randomBytes } from 'node:crypto'
import { zstdCompressSync } from 'node:zlib'
import sharp from 'sharp'
import { beforeAll, expect, test } from 'vitest'
import { LayersError } from './layers-error.ts'
import { readLayersFile, writeLayersFile } from './layers-file.ts'
import { readLayers } from './read-layers.ts'

const point = { x: 4, y: 4 }
const head = {
  eyes: point,
  centre: point,
  size: 4,
  faceWidth: 3,
  faceHeight: 4,
  chin: point,
  foreheadTop: point,
  oval: [point],
  roll: 0,
  yaw: 0,
}
let jpegs: Map<number, Uint8Array>
beforeAll(async () => {
  const widths = [8, 4096, 4097]
  const made = widths.map(async (width): Promise<[number, Uint8Array]> => {
    const create = { width, height: 8, channels: 3 as const, background: '#808080' }
    return [width, await sharp({ create }).jpeg().toBuffer()]
  })
  jpegs = new Map(await Promise.all(made))
})

/** Layers as they are stored, of that many people, with what is changed of each. */
function store(people: number, { heads = 1, width = 8, ...change } = {}): Uint8Array {
  const plane = zstdCompressSync(new Uint8Array(width * 8))
  const subject = {
    photoWidth: 100,
    photoHeight: 80,
    width,
    height: 8,
    heads: Array.from({ length: heads }, () => head),
    light: {},
    place: { scale: 1, x: 0, y: 0 },
    silhouette: { maskWidth: width, maskHeight: 8 },
    ...change,
  }
  return writeLayersFile({
    header: { seed: 7, subjects: Array.from({ length: people }, () => subject), background: null },
    sections: Array.from({ length: people }, () => [jpegs.get(width)!, plane, plane]).flat(),
  })
}
const unreadable = new LayersError('layers_unreadable')

test.each<[string, number, { heads?: number; width?: number }]>([
  ['two people', 2, {}],
  ['three', 3, {}],
  ['groups of four', 2, { heads: 4 }],
  ['sides of 4,096 pixels', 2, { width: 4096 }],
])('stored layers of %s are read', async (_what, people, change) => {
  const { seed, subjects } = await readLayers(store(people, change))
  expect([seed, subjects.length]).toEqual([7, people])
  expect(subjects[0]?.frame.image).toMatchObject({ width: change.width ?? 8, height: 8 })
  expect(subjects[0]?.reading.heads).toHaveLength(change.heads ?? 1)
})

test.each<[string, number, object]>([
  ['one person', 1, {}],
  ['four people', 4, {}],
  ['nobody’s head', 2, { heads: 0 }],
  ['groups of five', 2, { heads: 5 }],
  ['sides of 4,097 pixels', 2, { width: 4097 }],
  ['a photo without a width', 2, { photoWidth: 0 }],
  ['a place without a size', 2, { place: { scale: 0 } }],
  ['a place that is no number', 2, { place: { scale: 'x' } }],
  ['a mask of another size', 2, { silhouette: { maskWidth: 9, maskHeight: 8 } }],
])('stored layers of %s are not', async (_what, people, change) => {
  await expect(readLayers(store(people, change))).rejects.toThrow(unreadable)
})

test('a file of layers is read as it was written, and not where a byte of it is another', () => {
  const sections = [Uint8Array.of(1, 2, 3), new Uint8Array(0), Uint8Array.of(4)]
  const file = writeLayersFile({ header: { seed: 7 }, sections })
  const { header, sections: read } = readLayersFile(file)
  expect(header).toMatchObject({ seed: 7 })
  expect(read.map((section) => [...section])).toEqual(sections.map((section) => [...section]))
  for (let at = 0; at < file.length; at += 1) {
    const changed = Uint8Array.from(file, (byte, n) => (n === at ? byte ^ 1 : byte))
    expect(() => readLayersFile(changed), `byte ${at}`).toThrow(unreadable)
  }
  for (const other of [file.subarray(0, -1), Buffer.concat([file, Buffer.of(0)]), Buffer.of(1)]) {
    expect(() => readLayersFile(other)).toThrow(unreadable)
  }
})

test('a file of sixteen megabytes is read, a larger one and one whose header inflates are not', () => {
  const room = 16_000_000 - writeLayersFile({ header: {}, sections: [new Uint8Array(0)] }).length
  const fileOf = (length: number) =>
    writeLayersFile({ header: {}, sections: [new Uint8Array(length)] })
  // The length itself takes some more bytes of the header.
  expect(readLayersFile(fileOf(room - 16)).sections[0]).toHaveLength(room - 16)
  expect(() => readLayersFile(fileOf(room + 1))).toThrow(unreadable)
  const text = (length: number) => randomBytes(length / 2).toString('hex')
  const withText = (length: number) =>
    readLayersFile(writeLayersFile({ header: { text: text(length) }, sections: [] }))
  expect(withText(3_999_000).header['text']).toHaveLength(3_999_000)
  expect(() => withText(4_000_000)).toThrow(unreadable)
})
