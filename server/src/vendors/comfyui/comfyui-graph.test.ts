import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { fillGraph, readGraph } from './comfyui-graph.ts'
import type { ComfyGraph, GraphValues, TitledGraph } from './comfyui-graph.ts'

const shipped = (name: string) =>
  readFileSync(join(import.meta.dirname, `../../../comfyui-graphs/${name}.json`), 'utf8')

function read(name: string): TitledGraph {
  const graph = readGraph(shipped(name))
  if ('faults' in graph) throw new Error(graph.faults.join())
  return graph
}

const values = {
  prompt: 'a selfie',
  images: ['one.jpg [temp]', 'two.jpg [temp]'],
  size: { widthPx: 864, heightPx: 1536 },
  seed: 7,
}

describe.each(['qwen-image-edit-2511', 'flux-2-klein-4b'])('the graph %s', (name) => {
  test('gets prompt, photos, size and seed, and every link in it leads to a node', () => {
    const graph = fillGraph(read(name), values)
    const titled = (title: string) =>
      Object.values(graph).filter(({ _meta: notes }) => notes?.title === title)
    expect(titled('Starside user')[0]?.inputs['image']).toBe('one.jpg [temp]')
    expect(titled('Starside star')[0]?.inputs['image']).toBe('two.jpg [temp]')
    expect(titled('Starside second star')).toEqual([])
    const sizes = titled('Starside size')
    expect(sizes.length).toBeGreaterThan(0)
    for (const { inputs } of sizes) expect(inputs).toMatchObject({ width: 864, height: 1536 })
    expect(Object.values(titled('Starside prompt')[0]?.inputs ?? {})).toContain('a selfie')
    expect(Object.values(titled('Starside seed')[0]?.inputs ?? {})).toContain(7)
    expect(danglingLinks(graph)).toEqual([])
  })
})

test('a second star has its node where the graph has one, and is refused elsewhere', () => {
  const qwen = read('qwen-image-edit-2511')
  expect([qwen.takesSecondStar, read('flux-2-klein-4b').takesSecondStar]).toEqual([true, false])
  const graph = fillGraph(qwen, { ...values, images: [...values.images, 'three.jpg [temp]'] })
  expect(graph['8']?.inputs['image']).toBe('three.jpg [temp]')
  expect(graph['9']?.inputs['image3']).toEqual(['8', 0])
  // What was read is not changed by what is filled in.
  expect(qwen.graph['8']?.inputs['image']).toBe('second-star.png')
})

describe('a graph of one’s own', () => {
  const node = (title: string, inputs: object) => ({
    class_type: 'X',
    inputs,
    _meta: { title },
  })

  test('says everything that it lacks, at once', () => {
    const text = JSON.stringify({
      a: node('Starside prompt', { colour: 'red' }),
      b: node('Starside user', { image: '' }),
      c: node('Starside user', { image: '' }),
      d: node('KSampler', { seed: 1 }),
    })
    expect(readGraph(text)).toEqual({
      faults: [
        "node a 'Starside prompt' has none of the inputs prompt, text, value, string",
        "2 nodes have the title 'Starside user'",
        "no node has the title 'Starside star'",
        "no node has the title 'Starside result'",
      ],
    })
  })

  test.each(['', '[]', '{"nodes": [], "links": []}', 'null', '{"1": {}}'])(
    'that is %j is none in API form',
    (text) => {
      expect(readGraph(text)).toMatchObject({ faults: [expect.stringContaining('API form')] })
    },
  )

  const whole = {
    a: node('Starside prompt', { text: '', prompt: '' }),
    b: node('Starside user', { image: '' }),
    c: node('Starside star', { image: '' }),
    d: node('Starside result', { images: ['c', 0] }),
  }
  const filled = (more: object, own: Partial<GraphValues> = {}) => {
    const graph = readGraph(JSON.stringify({ ...whole, ...more }))
    if ('faults' in graph) throw new Error(graph.faults.join())
    return fillGraph(graph, { ...values, ...own })
  }

  test('with its result but without a star is refused', () => {
    const { c: _star, ...rest } = whole
    expect(readGraph(JSON.stringify(rest))).toEqual({
      faults: ["no node has the title 'Starside star'"],
    })
  })

  test('has the prompt in the first input of its node alone', () => {
    expect(filled({})['a']?.inputs).toEqual({ prompt: 'a selfie', text: '' })
  })

  test('keeps its own size where none is asked for, and gets only the sides that it names', () => {
    const size = node('Starside size', { width: 640 })
    expect(filled({ e: size }, { size: undefined })['e']?.inputs).toEqual({ width: 640 })
    expect(filled({ e: size })['e']?.inputs).toEqual({ width: 864 })
    const high = node('Starside size', { height: 640 })
    expect(filled({ e: high })['e']?.inputs).toEqual({ height: 1536 })
  })

  test('loses links to the second star without one, and nothing that only looks like it', () => {
    const inputs = { image: ['8', 0], text: '8 people', list: ['c', 0], number: 8 }
    const more = { 8: node('Starside second star', { image: '' }), e: node('other', inputs) }
    expect(filled(more)['e']?.inputs).toEqual({ text: '8 people', list: ['c', 0], number: 8 })
    expect(filled(more)['8']).toBeUndefined()
  })

  test('may leave out size, seed and second star', () => {
    const graph = readGraph(
      JSON.stringify({
        a: node('Starside prompt', { text: '' }),
        b: node('Starside user', { image: '' }),
        c: node('Starside star', { image: '' }),
        d: node('Starside result', { images: ['c', 0] }),
      }),
    )
    expect(graph).toMatchObject({ takesSecondStar: false, resultId: 'd' })
  })
})

function danglingLinks(graph: ComfyGraph): unknown[] {
  return Object.values(graph).flatMap(({ inputs }) =>
    Object.values(inputs).filter((value) => Array.isArray(value) && !(String(value[0]) in graph)),
  )
}
