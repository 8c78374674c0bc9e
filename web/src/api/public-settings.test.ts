import { afterEach, expect, it, vi } from 'vitest'
import { testSettings } from './testing/test-settings.ts'

afterEach(() => vi.unstubAllGlobals())

it('settings that did not come are asked for by the next caller, and those that came are kept', async () => {
  // All files of a worker share the settings: these are for this test alone.
  const alone = './public-settings.ts?alone'
  const module: unknown = await import(alone)
  const { loadPublicSettings } = module as typeof import('./public-settings.ts')
  const fetched = vi.fn(async () => Response.json({ success: false }, { status: 500 }))
  vi.stubGlobal('fetch', fetched)
  await expect(loadPublicSettings()).rejects.toThrow()
  fetched.mockImplementation(async () => Response.json(testSettings))
  const asked = [loadPublicSettings(), loadPublicSettings()]
  expect(await Promise.all(asked)).toEqual([testSettings, testSettings])
  expect(await loadPublicSettings()).toEqual(testSettings)
  expect(fetched).toHaveBeenCalledTimes(2)
})

it('settings that the server has written into the page are asked for by nobody', async () => {
  const alone = './public-settings.ts?boot'
  const module: unknown = await import(alone)
  const { loadPublicSettings } = module as typeof import('./public-settings.ts')
  const fetched = vi.fn()
  vi.stubGlobal('fetch', fetched)
  const data = document.body.appendChild(document.createElement('script'))
  Object.assign(data, { type: 'application/json', id: 'settings' })
  data.textContent = JSON.stringify(testSettings)
  expect(await loadPublicSettings()).toEqual(testSettings)
  expect(loadPublicSettings()).toBe(loadPublicSettings())
  expect(fetched).not.toHaveBeenCalled()
})
