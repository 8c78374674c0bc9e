import { afterEach, expect, it, vi } from 'vitest'
import {
  dropOldEntries,
  isAlive,
  keepSharedPhoto,
  readEntry,
  takeSharedPhoto,
  writeEntry,
} from './photo-store.ts'
import { stubDatabases } from './testing/test-database.ts'

afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

const photo = new File(['a photo'], 'a.jpg', { type: 'image/jpeg' })
const minuteMs = 60_000
const atMs = Date.parse('2026-11-22T12:00:00Z')

it('a database that another tab removes is closed at once, though it is being written', async () => {
  const close = vi.fn()
  const begun = Promise.withResolvers<void>()
  const put = () => {
    begun.resolve()
    return new EventTarget()
  }
  const transaction = () => ({ objectStore: () => ({ put }) })
  const database = Object.assign(new EventTarget(), { close, transaction })
  const opening = Object.assign(new EventTarget(), { result: database })
  vi.stubGlobal('indexedDB', { open: () => opening })
  void writeEntry('selfie_draft', { savedAtMs: 0 })
  opening.dispatchEvent(new Event('success'))
  await begun.promise
  expect(close).not.toHaveBeenCalled()
  database.dispatchEvent(new Event('versionchange'))
  expect(close).toHaveBeenCalledOnce()
})

it('a shared photo waits for less than half an hour, and is taken once', async () => {
  const databases = stubDatabases()
  await keepSharedPhoto(photo, atMs)
  expect(await takeSharedPhoto(atMs + 30 * minuteMs - 1)).toBe(photo)
  expect([...databases.keys()]).toEqual([])
  expect(await takeSharedPhoto(atMs)).toBeNull()
  await keepSharedPhoto(photo, atMs)
  expect(await takeSharedPhoto(atMs + 30 * minuteMs)).toBeNull()
  expect([...databases.keys()], 'and looking makes none').toEqual([])
})

it('what says not when it was written is used no more', () => {
  expect([isAlive({}, 0), isAlive({ savedAtMs: 0 }, 0)]).toEqual([false, true])
})

it('a database is closed after each use, also where it fails', async () => {
  const close = vi.fn()
  const request = (type: string, result?: object) => {
    const target = Object.assign(new EventTarget(), { result, error: null })
    queueMicrotask(() => target.dispatchEvent(new Event(type)))
    return target
  }
  let answer = 'success'
  const objectStore = () => ({ put: () => request(answer) })
  const transaction = () => ({ objectStore })
  vi.stubGlobal('indexedDB', {
    open: () => request('success', Object.assign(new EventTarget(), { close, transaction })),
  })
  await writeEntry('selfie_draft', { savedAtMs: 0 })
  expect(close).toHaveBeenCalledTimes(1)
  answer = 'error'
  await expect(writeEntry('selfie_draft', { savedAtMs: 0 })).rejects.toThrow('No reason given')
  expect(close).toHaveBeenCalledTimes(2)
})

it('what nobody used within half an hour is dropped from both stores, what is younger stays', async () => {
  const databases = stubDatabases()
  await writeEntry('selfie_draft', { savedAtMs: atMs })
  await writeEntry('shared_photo', { savedAtMs: atMs })
  await dropOldEntries(atMs + 29 * minuteMs)
  expect(databases.size).toBe(2)
  await writeEntry('shared_photo', { savedAtMs: atMs + minuteMs })
  await dropOldEntries(atMs + 30 * minuteMs)
  expect([...databases.keys()]).toEqual(['shared_photo'])
  await dropOldEntries(atMs + 31 * minuteMs)
  expect(databases.size).toBe(0)
})

it('where the browser stores nothing there is nothing to read', async () => {
  vi.stubGlobal('indexedDB', undefined)
  expect(await readEntry('selfie_draft')).toBeUndefined()
})
