import { mkdtempDisposable, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ComfyuiBehaviour } from '../../testing/vendors/comfyui-server.ts'
import { startComfyuiServer } from '../../testing/vendors/comfyui-server.ts'
import sharp from 'sharp'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { readConfig } from '../../config.ts'
import { auditBooks } from '../../ledger/credits/audit.ts'
import { openHostedApp } from '../../testing/open-hosted-app.ts'
import type { HostedApp } from '../../testing/open-hosted-app.ts'
import { openProviders } from './image-models.ts'

/** What is removed at the vendor's is removed after the answer. */

let hosted: HostedApp
beforeAll(async () => {
  hosted = await openHostedApp({
    chain: 'comfyui:flux-2-klein-4b',
    settings: { IMAGE_CIRCUIT_FAILURES: '1000' },
  })
})
afterAll(() => hosted[Symbol.asyncDispose]())
afterEach(async () => {
  expect((await auditBooks(hosted.app.context.database)).findings).toEqual([])
})

async function makeOne(behaviour: ComfyuiBehaviour) {
  const { token } = await hosted.signIn()
  const before = hosted.comfyui.requests().length
  hosted.comfyui.next(behaviour)
  const { status, body } = await hosted.generate(token)
  return {
    outcome: [status, body.code, await hosted.balance(token)],
    taken: hosted.comfyui.requests().length - before,
  }
}

/** What is left of people in ComfyUI's files: pictures of more than a pixel. */
async function keptPictures(): Promise<string[]> {
  const kept: string[] = []
  for (const [name, bytes] of hosted.comfyui.files()) {
    const { width } = await sharp(bytes).metadata()
    // A version that is too old is refused, with what it has made by then.
    if (width > 1 && !name.includes('own-')) kept.push(name)
  }
  return kept
}

test('ComfyUI gets both photos and the filled graph, once, and nothing of people stays there', async () => {
  const made = await makeOne('picture')
  expect([made.outcome, made.taken]).toEqual([[200, undefined, 0], 1])
  const { id, graph } = hosted.comfyui.requests().at(-1)!
  expect(graph['5']?.inputs['image']).toBe(`starside-${id}-1.jpg [temp]`)
  expect(graph['9']?.inputs['image']).toBe(`starside-${id}-2.jpg [temp]`)
  expect(graph['18']?.inputs).toMatchObject({ width: 1024, height: 1280 })
  expect(graph['4']?.inputs['text']).toContain('image 2')
  await expect.poll(keptPictures).toEqual([])
  expect(hosted.comfyui.requests().at(-1)?.history).toBeUndefined()
  await expect.poll(() => hosted.comfyui.sockets()).toBe(0)
})

test.for<[ComfyuiBehaviour, status: number, code: string | undefined, taken: number]>([
  ['many', 200, undefined, 1],
  ['accept_and_drop', 200, undefined, 1],
  ['socket_dies', 200, undefined, 1],
  ['refused_upload', 422, 'provider_bad_input', 0],
  ['invalid_graph', 502, 'provider_down', 0],
  ['down', 502, 'provider_down', 0],
  ['html', 502, 'generation_failed', 0],
  ['drop', 502, 'provider_down', 0],
  ['own_id', 502, 'provider_down', 1],
  ['error', 502, 'provider_down', 1],
  ['interrupted', 502, 'provider_down', 1],
  ['lost', 502, 'provider_down', 1],
  ['no_picture', 502, 'generation_failed', 1],
  ['redirect_to_private', 502, 'generation_failed', 1],
  ['huge', 502, 'generation_failed', 1],
  ['endless', 502, 'generation_failed', 1],
  ['not_a_picture', 502, 'generation_failed', 1],
  ['truncated', 502, 'generation_failed', 1],
  ['tiny', 502, 'generation_failed', 1],
  ['gif', 502, 'generation_failed', 1],
])('%s is reported as %i %s, asked for once, and paid or not', async ([behaviour, ...expected]) => {
  const [status, code, taken] = expected
  const made = await makeOne(behaviour)
  expect(made).toEqual({ outcome: [status, code, status === 200 ? 0 : 1], taken })
  await expect.poll(keptPictures).toEqual([])
})

test('a ComfyUI that is busy is asked again', async () => {
  const { token } = await hosted.signIn()
  hosted.comfyui.next('busy', 'busy')
  expect((await hosted.generate(token)).status).toBe(200)
  expect((await hosted.lastAttempt()).busy_count).toBe(2)
})

test('what never ends is given up in time and stopped there', async () => {
  await using slow = await openHostedApp({
    chain: 'comfyui:qwen-image-edit-2511',
    settings: { IMAGE_TIMEOUT_SECONDS: '120' },
  })
  slow.app.stopTime()
  const { token } = await slow.signIn()
  slow.comfyui.next('hang')
  const making = slow.generate(token)
  await expect.poll(async () => (await slow.attempts()).at(-1)?.state).toBe('submitted')
  slow.app.passTime(120_000)
  const { status, body } = await making
  expect([status, body.code, await slow.balance(token)]).toEqual([504, 'provider_timeout', 1])
  await expect.poll(() => slow.comfyui.requests()[0]?.state).toBe('ended')
})

test('how far ComfyUI is reaches the person, further and further', async () => {
  await using slow = await openHostedApp({ chain: 'comfyui:flux-2-klein-4b' })
  const { token } = await slow.signIn()
  slow.comfyui.next('hang')
  // The first is said before the request's own answer.
  slow.comfyui.sayPercent(40)
  const { body } = await slow.generate(token, { isAsync: true })
  const read = async () => {
    const path = `/api/generations/${body.generation.generationId}`
    const { stage, stagePercent } = (await slow.app.call(path, { token })).body.generation
    return { stage, stagePercent }
  }
  for (const stagePercent of [40, 75]) {
    slow.comfyui.sayPercent(stagePercent)
    await expect.poll(read).toEqual({ stage: 'blend', stagePercent })
  }
})

test('the socket brings the end before the next poll would', async () => {
  await using patient = await openHostedApp({
    chain: 'comfyui:flux-2-klein-4b',
    settings: { IMAGE_POLL_INTERVAL_MS: '60000' },
  })
  const { token } = await patient.signIn()
  patient.comfyui.next('slow')
  expect((await patient.generate(token)).status).toBe(200)
})

test('a probe names every node and file that ComfyUI lacks, and a graph is refused at the start', async () => {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'starside-graphs-'))
  const comfyui = await startComfyuiServer()
  const open = (name: string) => {
    const settings = readConfig({
      NODE_ENV: 'test',
      PUBLIC_URL: 'https://selfie.example',
      IMAGE_PROVIDERS: `comfyui:${name}`,
      COMFYUI_BASE_URL: comfyui.url,
      COMFYUI_GRAPH_FOLDER: folder.path,
    }).images
    return openProviders({ settings, fetch, now: Date.now }).get(`comfyui:${name}`)!
  }
  const signal = new AbortController().signal
  await open('flux-2-klein-4b').probe(signal)
  const node = (kind: string, title: string, inputs: object) => ({
    class_type: kind,
    inputs,
    _meta: { title },
  })
  const own = {
    a: node('FaceSwapper', 'Starside prompt', { text: '' }),
    b: node('LoadImage', 'Starside user', { image: 'x' }),
    c: node('LoadImage', 'Starside star', { image: 'y' }),
    d: node('UNETLoader', 'model', { unet_name: 'mine.safetensors' }),
    e: node('PreviewImage', 'Starside result', { images: ['a', 0] }),
  }
  await writeFile(join(folder.path, 'own.json'), JSON.stringify(own))
  await expect(open('own').probe(signal)).rejects.toThrow(
    'ComfyUI lacks the node FaceSwapper, mine.safetensors for unet_name of UNETLoader',
  )
  await writeFile(join(folder.path, 'own.json'), '{}')
  expect(() => open('own')).toThrow(/its graph can’t be used:\n {2}no node has the title/)
  expect(() => open('none')).toThrow('there is no none.json')
  await comfyui.close()
})
