import { afterEach, expect, it, vi } from 'vitest'
import { writeEntry } from './photo-store.ts'

afterEach(() => vi.unstubAllGlobals())

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
