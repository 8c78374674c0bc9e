import { mkdtempDisposable, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startComfyuiServer } from '../../testing/vendors/comfyui-server.ts'
import type { ComfyuiServer } from '../../testing/vendors/comfyui-server.ts'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { QueuedProvider, Submission } from '../hosted-provider.ts'
import { openCatalogue } from '../models/model-catalogue.ts'
import { createTestJpeg } from '../../testing/test-photo.ts'
import { readHistory, readQueue } from './comfyui-calls.ts'
import { imageVendors } from '../image-vendors.ts'

const signal = new AbortController().signal

let comfyui: ComfyuiServer
let opened: QueuedProvider[]
let photo: Buffer
let folder: Awaited<ReturnType<typeof mkdtempDisposable>>
beforeAll(async () => {
  photo = await createTestJpeg({ red: 10, green: 20, blue: 30, widthPx: 320 })
  folder = await mkdtempDisposable(join(tmpdir(), 'starside-comfyui-'))
})
afterAll(() => folder[Symbol.asyncDispose]())
beforeEach(async () => {
  opened = []
  comfyui = await startComfyuiServer()
})
afterEach(async () => {
  for (const provider of opened) provider.close?.()
  await comfyui.close()
})
/** What ComfyUI answers itself where this answers nothing. */
type Instead = (path: string, init: RequestInit) => Response | undefined

function open(options: { model?: string; instead?: Instead; ownFolder?: string } = {}) {
  const { model = 'qwen-image-edit-2511', instead, ownFolder } = options
  const asked: string[] = []
  const vendor = imageVendors.comfyui.configure({
    COMFYUI_BASE_URL: `${comfyui.url}/`,
    COMFYUI_GRAPH_FOLDER: ownFolder,
  })
  expect(vendor.photosGoTo).toBe(comfyui.url)
  const provider = vendor.openProvider({
    card: openCatalogue().find('comfyui', model),
    timeoutMs: 5_000,
    fetch: async (input, init = {}) => {
      const url = input instanceof Request ? input.url : input.toString()
      const path = url.slice(comfyui.url.length)
      asked.push(`${init.method ?? 'GET'} ${path}`)
      return instead?.(path, init) ?? (await fetch(input, init))
    },
    resolveHost: async () => [],
    now: () => 0,
    priceMicroUsd: undefined,
  })
  if (provider.kind !== 'queued') throw new Error('it has a queue')
  opened.push(provider)
  return { asked, provider }
}
const imageOf = (mediaType: 'image/jpeg' | 'image/png' = 'image/jpeg') => ({
  bytes: photo,
  mediaType,
  widthPx: 320,
  heightPx: 400,
  hasMatte: false,
})
const submit = (provider: QueuedProvider) =>
  provider.submit(
    {
      prompt: 'a selfie',
      userPhoto: imageOf(),
      starPhotos: [imageOf()],
      aspect: '16:9',
      count: 1,
    },
    { webhookUrl: undefined, startWithinMs: 1_000, signal },
  )
const ended = async (provider: QueuedProvider, submission: Submission) => {
  await expect
    .poll(async () => (await provider.poll(submission, signal)).state)
    .not.toMatch(/queued|working/)
  return await provider.poll(submission, signal)
}
const failing = (path: string, status: number, body: unknown = {}): Instead => {
  return (asked) => (asked === path ? Response.json(body, { status }) : undefined)
}

describe('a request to ComfyUI', () => {
  test('has the photos’ names, the size and a seed of its own, under our id', async () => {
    const uploads: unknown[] = []
    const { provider } = open({
      instead: (_path, { body }) => {
        const image = body instanceof FormData ? body.get('image') : undefined
        if (image instanceof File) uploads.push(image.type)
        return undefined
      },
    })
    const submission = await submit(provider)
    const { requestId } = submission
    expect(uploads).toEqual(['image/jpeg', 'image/jpeg'])
    expect(submission).toEqual({
      requestId: expect.stringMatching(/^[\da-f-]{36}$/),
      statusUrl: `${comfyui.url}/queue`,
      responseUrl: `${comfyui.url}/history/${requestId}`,
      cancelUrl: `${comfyui.url}/interrupt`,
    })
    const [request] = comfyui.requests()
    expect(request).toMatchObject({ id: requestId })
    const inputs = Object.values(request?.graph ?? {}).flatMap((node) => Object.values(node.inputs))
    const names = [1, 2].map((place) => `starside-${requestId}-${place}.jpg`)
    expect(inputs).toEqual(expect.arrayContaining(names.map((name) => `${name} [temp]`)))
    expect(inputs).toEqual(expect.arrayContaining([1536, 864, 'a selfie']))
    expect(inputs).toContain(Number.parseInt(requestId.slice(0, 8), 16))
    for (const name of names) expect(comfyui.files().get(`temp/${name}`)?.equals(photo)).toBe(true)
  })

  test('is worked on, ends with its pictures, and leaves nothing behind', async () => {
    const { provider } = open()
    comfyui.next('many')
    const submission = await submit(provider)
    const end = await ended(provider, submission)
    if (end.state !== 'pictures') throw new Error(end.state)
    const { requestId } = submission
    expect(end.urls).toHaveLength(2)
    const [first = ''] = end.urls
    expect(first).toBe(
      `${comfyui.url}/view?filename=ComfyUI_temp_${requestId}_00001_.png&subfolder=&type=temp`,
    )
    const picture = Buffer.from(await provider.download(first, signal))
    const kept = () => comfyui.files().get(`temp/ComfyUI_temp_${requestId}_00001_.png`)
    expect(kept()?.equals(picture)).toBe(true)
    const saved = `${comfyui.url}/view?filename=own.png&subfolder=&type=output`
    await provider.forget?.(submission, [...end.urls, saved], signal)
    const sizes = [...comfyui.files().values()].map(({ length }) => length)
    expect(Math.max(...sizes), 'one pixel each').toBeLessThan(100)
    expect([...comfyui.files().keys()].toSorted()).toEqual([
      ...[1, 2].map((number) => `temp/ComfyUI_temp_${requestId}_0000${number}_.png`),
      ...[1, 2, 3].map((place) => `temp/starside-${requestId}-${place}.jpg`),
    ])
    expect(comfyui.requests()[0]?.history).toBeUndefined()
    await expect(
      provider.download('https://elsewhere.example/view?filename=a.png', signal),
    ).rejects.toMatchObject({ kind: 'unknown' })
  })

  test('waits behind others, is dropped where it waits, and stopped where it is worked on', async () => {
    const { provider } = open()
    comfyui.next('hang')
    const [first, second, third] = [
      await submit(provider),
      await submit(provider),
      await submit(provider),
    ]
    const pollAll = () =>
      Promise.all([first, second, third].map((one) => provider.poll(one, signal)))
    expect(await pollAll()).toEqual([
      { state: 'working', percent: 0 },
      { state: 'queued', position: 0 },
      { state: 'queued', position: 1 },
    ])
    expect(await provider.cancel(second, signal)).toBe(true)
    expect(comfyui.requests().map(({ state }) => state)).toEqual(['running', 'ended', 'pending'])
    expect(await provider.poll(third, signal)).toEqual({ state: 'queued', position: 0 })
    expect(await provider.poll(second, signal)).toMatchObject({
      state: 'failed',
      error: { kind: 'provider_down', message: 'ComfyUI knows the request no longer' },
    })
    expect(await provider.cancel(first, signal)).toBe(true)
    expect(comfyui.requests()[0]?.behaviour).toBe('interrupted')
  })

  test('has its files overwritten as what they are, and only its own place in the history deleted', async () => {
    const uploads: (string | undefined)[][] = []
    const deleted: unknown[] = []
    const { provider } = open({
      instead: (path, { body }) => {
        const image = body instanceof FormData ? body.get('image') : undefined
        if (body instanceof FormData && image instanceof File) {
          const subfolder = body.get('subfolder')
          uploads.push([
            image.name,
            image.type,
            typeof subfolder === 'string' ? subfolder : undefined,
          ])
        }
        if (path === '/history' && typeof body === 'string') deleted.push(JSON.parse(body))
        return undefined
      },
    })
    const submission = await submit(provider)
    await ended(provider, submission)
    uploads.length = 0
    const urls = ['temp', 'output', 'input'].map(
      (type) => `${comfyui.url}/view?filename=${type}.png&subfolder=&type=${type}`,
    )
    const inFolder = `${comfyui.url}/view?filename=deep.png&subfolder=own&type=temp`
    const withoutFolder = `${comfyui.url}/view?filename=flat.png&type=temp`
    await provider.forget?.(submission, [...urls, inFolder, withoutFolder], signal)
    const { requestId } = submission
    expect(uploads).toEqual([
      ...[1, 2, 3].map((place) => [`starside-${requestId}-${place}.jpg`, 'image/png', '']),
      ['temp.png', 'image/png', ''],
      ['deep.png', 'image/png', 'own'],
      ['flat.png', 'image/png', ''],
    ])
    expect(deleted).toEqual([{ delete: [requestId] }])
  })

  test('that can’t be cancelled says so', async () => {
    const { provider } = open({ instead: failing('/interrupt', 500) })
    expect(await provider.cancel(await submit(provider), signal)).toBe(false)
  })

  test('tells its news to whoever listens', async () => {
    const { provider } = open()
    const [heard, left]: [string[], string[]] = [[], []]
    provider.listen?.((requestId) => void heard.push(requestId))
    provider.listen?.((requestId) => void left.push(requestId))()
    comfyui.next('hang')
    const submission = await submit(provider)
    await expect.poll(() => heard.at(-1)).toBe(submission.requestId)
    expect(left).toEqual([])
    await provider.cancel(submission, signal)
    // Its end is news, too, and the last.
    await expect.poll(() => comfyui.sockets()).toBe(0)
    expect(new Set(heard)).toEqual(new Set([submission.requestId]))
  })

  test('is listened to no longer once it is forgotten, or was not placed', async () => {
    const { provider } = open()
    comfyui.next('hang')
    const submission = await submit(provider)
    await expect.poll(() => comfyui.sockets()).toBe(1)
    await provider.forget?.(submission, [], signal)
    await expect.poll(() => comfyui.sockets()).toBe(0)
    comfyui.next('down')
    await expect(submit(provider)).rejects.toMatchObject({ kind: 'provider_down' })
    await expect.poll(() => comfyui.sockets()).toBe(0)
  })

  test('that isn’t taken leaves no photo there', async () => {
    const { provider } = open()
    comfyui.next('invalid_graph')
    await expect(submit(provider)).rejects.toMatchObject({
      kind: 'provider_down',
      maybeAccepted: false,
    })
    const sizes = [...comfyui.files().values()].map(({ length }) => length)
    expect(sizes).toHaveLength(3)
    expect(Math.max(...sizes)).toBeLessThan(100)
  })

  test('whose answer is lost is there, or not, by its id', async () => {
    const { provider } = open()
    comfyui.next('accept_and_drop')
    const { requestId } = await submit(provider)
    expect(comfyui.requests().map(({ id }) => id)).toEqual([requestId])
    comfyui.next('drop')
    await expect(submit(provider)).rejects.toMatchObject({ maybeAccepted: true })
    comfyui.next('html')
    await expect(submit(provider)).rejects.toMatchObject({
      kind: 'unknown',
      maybeAccepted: true,
      message: 'ComfyUI’s answer to a request is not as expected',
    })
  })

  test('that is refused for sure isn’t looked for', async () => {
    const { asked, provider } = open({ instead: failing('/prompt', 404) })
    await expect(submit(provider)).rejects.toMatchObject({ kind: 'provider_down' })
    expect(asked.filter((call) => call.startsWith('GET'))).toEqual([])
  })

  test('of a ComfyUI that gives its own ids is stopped there', async () => {
    const { asked, provider } = open()
    comfyui.next('own_id')
    await expect(submit(provider)).rejects.toMatchObject({
      kind: 'provider_down',
      message: 'this ComfyUI is too old: it gives requests ids of its own',
    })
    expect(asked).toEqual(expect.arrayContaining(['POST /queue', 'POST /interrupt']))
    expect(asked.filter((call) => call.startsWith('GET'))).toEqual([])
  })

  test('that ends between two answers is found at the second look', async () => {
    let looks = 0
    const { provider } = open({
      instead: (path) => {
        if (path === '/queue') return Response.json({ queue_running: [], queue_pending: [] })
        if (!path.startsWith('/history/')) return undefined
        looks += 1
        return looks === 1 ? Response.json({}) : undefined
      },
    })
    const submission = await submit(provider)
    await expect.poll(() => comfyui.requests()[0]?.history).toBeDefined()
    expect((await provider.poll(submission, signal)).state).toBe('pictures')
    expect(looks).toBe(2)
  })

  test('whose upload is kept under another name is not placed', async () => {
    const { asked, provider } = open({
      instead: (path) =>
        path === '/upload/image' ? Response.json({ name: 'another.jpg' }) : undefined,
    })
    await expect(submit(provider)).rejects.toMatchObject({
      kind: 'unknown',
      message: 'ComfyUI keeps an upload under another name',
    })
    expect(asked).not.toContain('POST /prompt')
  })
})

describe('what ComfyUI refuses', () => {
  const nodes = { a: { errors: [{ details: 'no such file' }], class_type: 'LoadImage' } }
  test.for([
    [429, {}, 'provider_busy', false, ''],
    [503, {}, 'provider_busy', false, ''],
    [413, {}, 'bad_input', false, ''],
    [400, { error: { message: 'bad', details: 'worse' } }, 'provider_down', false, 'bad worse'],
    [
      400,
      { error: { message: 'bad', details: {} }, node_errors: nodes },
      'provider_down',
      false,
      'bad LoadImage: no such file',
    ],
    [400, { node_errors: { a: { errors: {} } } }, 'provider_down', false, ''],
    [201, {}, 'provider_down', false, ''],
    [499, {}, 'provider_down', false, ''],
    [500, {}, 'provider_down', true, ''],
  ] as const)('%i %j is %s', async ([status, body, kind, maybeAccepted, words]) => {
    const { provider } = open({ instead: failing('/history/id', status, body) })
    const asked = { requestId: 'id', statusUrl: '', responseUrl: '', cancelUrl: '' }
    await expect(provider.poll(asked, signal)).rejects.toMatchObject({
      kind,
      maybeAccepted,
      message: `ComfyUI answered ${status}: ${words}`,
    })
  })
})

describe('ComfyUI’s history', () => {
  const read = (entry?: object) =>
    readHistory(
      { id: entry },
      { requestId: 'id', resultId: '9', view: (file) => JSON.stringify(file) },
    )
  const withImages = (images: unknown) => ({ outputs: { 9: { images }, 8: { images: [1] } } })

  test('has the pictures of the node of the result, by their names', () => {
    const files = [{ filename: 'a' }, { filename: 7 }, 'b', { filename: 'c', subfolder: 'd' }]
    expect(read(withImages(files))).toEqual({
      state: 'pictures',
      urls: ['{"filename":"a"}', '{"filename":"c","subfolder":"d"}'],
    })
    expect(read()).toBeUndefined()
    for (const none of [withImages([]), withImages({}), withImages([{ filename: 7 }]), {}]) {
      expect(read(none)).toMatchObject({
        state: 'failed',
        error: { kind: 'unknown', message: 'the result has no picture' },
      })
    }
  })

  test.for<[unknown, string]>([
    [
      [
        ['execution_start', {}],
        ['execution_error', { node_type: 'K', exception_message: 'full' }],
      ],
      'ComfyUI failed in K: full',
    ],
    [
      [
        ['execution_interrupted', {}],
        ['execution_error', {}],
      ],
      'ComfyUI was told to stop the request',
    ],
    [[['execution_start', {}], 'execution_error'], 'ComfyUI failed without words'],
    [{}, 'ComfyUI failed without words'],
  ])('of %j says "%s"', ([messages, message]) => {
    const status = { status_str: 'error', messages }
    expect(read({ ...withImages([{ filename: 'a' }]), status })).toMatchObject({
      state: 'failed',
      error: { kind: 'provider_down', message },
    })
    expect(read({ ...withImages([{ filename: 'a' }]), status: { messages } })?.state).toBe(
      'pictures',
    )
  })
})

test('ComfyUI’s queue is in the order of its numbers, whichever comes first in the list', () => {
  const queue = {
    queue_running: [[1, 'running', {}]],
    queue_pending: [[12, 'last'], [-3, 'first'], 'odd', [5, 'second']],
  }
  expect(readQueue(queue, 'running')).toEqual({ state: 'working' })
  expect(readQueue(queue, 'first')).toEqual({ state: 'queued', position: 0 })
  const { queue_pending: pending } = { queue_pending: queue.queue_pending.filter(Array.isArray) }
  expect(readQueue({ queue_pending: pending }, 'second')).toEqual({ state: 'queued', position: 1 })
  expect(readQueue({ queue_pending: pending }, 'last')).toEqual({ state: 'queued', position: 2 })
  expect(readQueue(queue, 'unknown')).toBeUndefined()
  expect(readQueue(undefined, 'running')).toBeUndefined()
})

describe('a probe of ComfyUI', () => {
  const node = (kind: string, title: string, inputs: object) => ({
    class_type: kind,
    inputs,
    _meta: { title },
  })
  const ownGraph = {
    a: node('Prompt', 'Starside prompt', { text: '', mode: 'fast' }),
    b: node('LoadImage', 'Starside user', { image: 'x' }),
    c: node('LoadImage', 'Starside star', { image: 'y' }),
    d: node('Loader', 'model', { file: 'mine', kind: 'small', free: 'text', number: 3 }),
    e: node('PreviewImage', 'Starside result', { images: ['a', 0] }),
  }
  async function probe(info: Record<string, object>) {
    await writeFile(join(folder.path, 'own.json'), JSON.stringify(ownGraph))
    const { provider } = open({
      model: 'own',
      ownFolder: folder.path,
      instead: (path) => {
        const kind = path.replace('/object_info/', '')
        return Response.json(kind in info ? { [kind]: { input: info[kind] } } : {})
      },
    })
    return await provider.probe(signal).then(
      () => 'all there',
      (error: Error) => error.message,
    )
  }
  const whole = {
    Prompt: { required: { text: ['STRING', {}], mode: ['COMBO', { options: ['fast'] }] } },
    LoadImage: { required: { image: [['none.png'], {}] } },
    Loader: {
      required: { file: [['mine', 'yours'], {}], number: [[1, 2], {}] },
      optional: { kind: [['small'], {}], free: ['STRING', { options: ['other'] }] },
    },
    PreviewImage: {},
  }

  test('finds every node and file of a graph', async () => {
    expect(await probe(whole)).toBe('all there')
  })

  test('names all that is missing', async () => {
    const { PreviewImage: _, ...others } = whole
    const lacking = {
      ...others,
      Prompt: { required: { mode: ['COMBO', { options: ['slow'] }] } },
      Loader: { required: { file: [['yours'], {}] }, optional: { kind: [[], {}] } },
    }
    expect(await probe(lacking)).toBe(
      'ComfyUI lacks fast for mode of Prompt, mine for file of Loader, small for kind of Loader, ' +
        'the node PreviewImage',
    )
    const odd = { ...whole, Prompt: { required: { mode: ['COMBO', { options: 'slow' }] } } }
    expect(await probe(odd)).toBe('all there')
  })
})

describe('a graph’s name', () => {
  test.for(['../own', 'a/b', 'own graph', 'own?'])('%j is none', (model) => {
    expect(() => open({ model })).toThrow(`comfyui:${model} is no name of a graph`)
  })

  test('is looked for among one’s own first, then among ours', async () => {
    expect(() => open({ model: 'nowhere', ownFolder: folder.path })).toThrow(
      'comfyui:nowhere: there is no nowhere.json in COMFYUI_GRAPH_FOLDER',
    )
    expect(open({ ownFolder: folder.path }).provider.photosMax).toBe(3)
    expect(open({ model: 'flux-2-klein-4b' }).provider.photosMax).toBe(2)
    await writeFile(join(folder.path, 'flux-2-klein-4b.json'), '{}')
    expect(() => open({ model: 'flux-2-klein-4b', ownFolder: folder.path })).toThrow(
      'comfyui:flux-2-klein-4b: its graph can’t be used:\n  ',
    )
  })

  test('needs the address of a ComfyUI', () => {
    const env = { COMFYUI_BASE_URL: undefined, COMFYUI_GRAPH_FOLDER: undefined }
    expect(() => imageVendors.comfyui.configure(env)).toThrow('COMFYUI_BASE_URL is missing')
  })
})
