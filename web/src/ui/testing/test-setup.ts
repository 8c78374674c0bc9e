import { cleanup, configure } from '@testing-library/react'
import { afterAll, afterEach, vi } from 'vitest'
import { known } from '../../api/public-settings.ts'
import { forgetDraft } from '../../generation/selfie-draft.ts'
import { shown } from '../brand.ts'
import { loadCatalogue, type Area } from '../messages/catalogues.ts'
import './open-menus.ts'

// What is waited for may take long on a busy machine; nothing is asserted by it.
configure({ asyncUtilTimeout: 600_000 })

// Whichever file comes first, what it shows has its texts.
const areas: readonly Area[] = [
  'shell',
  'auth',
  'dashboard',
  'errors',
  'events',
  'trust',
  'variations',
]
await Promise.all(areas.map((area) => loadCatalogue(area, 'en')))

// Its document has no view transitions, whatever it says of their selectors.
Object.assign(Object.getPrototypeOf(CSS) as object, { supports: () => false })

// The files of a worker share one document.
afterEach(() => {
  cleanup()
  document.body.replaceChildren()
})

// They share what the browser and the program remember, too.
afterAll(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
  forgetDraft()
  shown.brand = undefined
  known.settings = undefined
  localStorage.clear()
  sessionStorage.clear()
  history.replaceState(null, '', '/')
  document.title = ''
  document.head.replaceChildren()
  for (const name of document.documentElement.getAttributeNames()) {
    document.documentElement.removeAttribute(name)
  }
})
