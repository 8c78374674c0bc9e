import { installedApp, sharedPhotoBytesMax } from '@starside/contract/installed-app.ts'
import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest'
import { takeSharedPhoto } from './photo-store.ts'
import { stubDatabases } from './testing/test-database.ts'

type Listener = (event: object) => void
const listeners = new Map<string, Listener>()
const scope = {
  addEventListener: (type: string, listener: Listener) => listeners.set(type, listener),
  location: { origin: 'https://selfies.example' },
  registration: { navigationPreload: { enable: vi.fn(async () => undefined) } },
  clients: { claim: vi.fn(async () => undefined) },
  skipWaiting: vi.fn(async () => undefined),
}
/** What the browser's caches hold, by cache and address. */
let caches: Map<string, Map<string, unknown>>
const fetch = vi.fn<(request: unknown) => Promise<unknown>>()
const current = 'shell-this-build'
const file = '/assets/app-1.js'

const pathOf = (asked: string | { url: string }) =>
  typeof asked === 'string' ? asked : new URL(asked.url).pathname

function openCache(name: string) {
  const kept = caches.get(name) ?? new Map<string, unknown>()
  caches.set(name, kept)
  return {
    addAll: async (paths: string[]) => paths.forEach((path) => kept.set(path, `kept ${path}`)),
    match: async (asked: string | { url: string }) => kept.get(pathOf(asked)),
    put: async (asked: { url: string }, answer: unknown) => void kept.set(pathOf(asked), answer),
  }
}

beforeAll(async () => {
  vi.stubGlobal('self', scope)
  vi.stubGlobal('SHELL_FILES', [file, '/favicon.svg'])
  vi.stubGlobal('BUILD_ID', 'this-build')
  vi.stubGlobal('fetch', fetch)
  vi.stubGlobal('caches', {
    open: async (name: string) => openCache(name),
    keys: async () => [...caches.keys()],
    delete: async (name: string) => caches.delete(name),
    match: async (path: string) => [...caches.values()].find((kept) => kept.has(path))?.get(path),
  })
  // Not by its name: the worker's types are those of a worker, not of a page.
  const program = '../../service-worker/service-worker.ts'
  await import(/* @vite-ignore */ program)
})

beforeEach(() => {
  caches = new Map()
  fetch.mockReset()
})

afterAll(() => vi.unstubAllGlobals())

/** Tells the worker of an event; when all that it holds the event open for is done. */
async function dispatch(type: string, event: object = {}): Promise<void> {
  const held: unknown[] = []
  listeners.get(type)?.({ ...event, waitUntil: (work: unknown) => held.push(work) })
  await Promise.all(held)
}

/** The worker's answer to a request; 'left to the browser' for those that it isn't there for. */
async function ask(request: object, event: object = {}): Promise<unknown> {
  let answer: unknown = 'left to the browser'
  const whole = { method: 'GET', mode: 'cors', ...request }
  listeners.get('fetch')?.({
    preloadResponse: Promise.resolve(undefined),
    ...event,
    request: whole,
    respondWith: (given: unknown) => (answer = given),
  })
  return answer
}

const at = (path: string) => ({ url: `https://selfies.example${path}` })
const page = { ...at('/dashboard'), mode: 'navigate' }

it('what a page without a connection needs is kept as soon as the worker is installed', async () => {
  await dispatch('install')
  expect([...(caches.get(current)?.keys() ?? [])]).toEqual([
    installedApp.offlinePage,
    '/favicon.svg',
  ])
})

it('a version that takes over drops what other versions kept, and serves pages that are open', async () => {
  caches = new Map(['shell-before', current, 'another'].map((name) => [name, new Map()]))
  await dispatch('activate')
  expect([...caches.keys()]).toEqual([current])
  expect(scope.clients.claim).toHaveBeenCalledOnce()
  expect(scope.registration.navigationPreload.enable).toHaveBeenCalledOnce()
})

it('a new version takes over early only where it is asked to', async () => {
  await dispatch('message', { data: 'something else' })
  expect(scope.skipWaiting).not.toHaveBeenCalled()
  await dispatch('message', { data: 'activate' })
  expect(scope.skipWaiting).toHaveBeenCalledOnce()
})

it('a page is what the server says, asked once, and the offline page where it says nothing', async () => {
  await dispatch('install')
  fetch.mockResolvedValue('from the server')
  expect(await ask(page, { preloadResponse: Promise.resolve('asked before') })).toBe('asked before')
  expect(fetch).not.toHaveBeenCalled()
  expect(await ask(page)).toBe('from the server')
  fetch.mockRejectedValue(new TypeError('no line'))
  expect(await ask(page)).toBe(`kept ${installedApp.offlinePage}`)
  const failing = { preloadResponse: Promise.reject(new TypeError('no line')) }
  expect(await ask(page, failing)).toBe(`kept ${installedApp.offlinePage}`)
  caches.clear()
  expect(await ask(page)).toMatchObject({ type: 'error' })
})

it("a file of the build is fetched once, answers of the API, other sites' and sent ones are left alone", async () => {
  const answer = { status: 200, type: 'basic', clone: () => 'the copy' }
  fetch.mockResolvedValue(answer)
  expect(await ask(at(file))).toBe(answer)
  expect(await ask(at(file))).toBe('the copy')
  expect(fetch).toHaveBeenCalledOnce()
  for (const other of [
    at('/api/me'),
    { url: `https://elsewhere.example${file}` },
    { ...at(file), method: 'HEAD' },
    { ...page, method: 'POST' },
    { ...at(installedApp.shareTarget) },
    { url: `https://elsewhere.example${installedApp.shareTarget}`, method: 'POST' },
  ]) {
    expect(await ask(other), JSON.stringify(other)).toBe('left to the browser')
  }
  expect(fetch).toHaveBeenCalledOnce()
})

it.each([
  ['isn’t there', { status: 404, type: 'basic' }],
  ['comes in part', { status: 206, type: 'basic' }],
  ['nobody may read', { status: 200, type: 'opaque' }],
])('a file that %s is passed on and not kept', async (_what, answer) => {
  const whole = { ...answer, clone: () => 'a copy' }
  fetch.mockResolvedValue(whole)
  expect(await ask(at(file))).toBe(whole)
  expect(caches.get(current)?.size).toBe(0)
})

it('a file is passed on where the browser keeps nothing more', async () => {
  const answer = { status: 200, type: 'basic', clone: () => 'a copy' }
  fetch.mockResolvedValue(answer)
  const full = { ...openCache(current), put: () => Promise.reject(new DOMException('full')) }
  const open = vi.spyOn(globalThis.caches, 'open').mockResolvedValue(full as never)
  expect(await ask(at(file))).toBe(answer)
  open.mockRestore()
})

const jpeg = new File(['a photo'], 'a.jpg', { type: 'image/jpeg' })
const unnamed = new File(['a photo'], 'IMG_1.HEIC')
const text = new File(['a text'], 'a.txt', { type: 'text/plain' })
const empty = new File([], 'b.jpg', { type: 'image/jpeg' })
const ofSize = (size: number) =>
  Object.defineProperty(new File(['x'], 'c.png', { type: 'image/png' }), 'size', { value: size })

it.each([
  ['the first picture', [text, jpeg, unnamed], 'a.jpg'],
  ['one of a phone that names no type', [unnamed], 'IMG_1.HEIC'],
  ['one of the largest size', [ofSize(sharedPhotoBytesMax)], 'c.png'],
  ['nothing of a larger one', [ofSize(sharedPhotoBytesMax + 1)], undefined],
  ['nothing of an empty one', [empty], undefined],
  ['nothing of a text', ['words', text], undefined],
])('of a share is kept: %s', async (_what, entries, kept) => {
  stubDatabases()
  const formData = async () => ({
    getAll: (name: string) => (name === installedApp.sharedPhotoField ? entries : []),
  })
  const share = { ...at(installedApp.shareTarget), method: 'POST', mode: 'navigate', formData }
  const redirect = vi.spyOn(Response, 'redirect').mockImplementation((...to) => to as never)
  const read = Promise.withResolvers<void>()
  const slow = { ...share, formData: () => read.promise.then(formData) }
  const answer = ask(slow)
  await Promise.resolve()
  expect(redirect, 'before the photo is kept').not.toHaveBeenCalled()
  read.resolve()
  expect(await answer).toEqual(['/dashboard?shared', 303])
  expect((await takeSharedPhoto(Date.now()))?.name).toBe(kept)
  const unreadable = { ...share, formData: () => Promise.reject(new TypeError('cut off')) }
  expect(await ask(unreadable)).toEqual(['/dashboard?shared', 303])
  redirect.mockRestore()
})
