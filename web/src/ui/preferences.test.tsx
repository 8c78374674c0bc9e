import { storageKeys } from '@starside/contract/api.ts'
import { act, fireEvent, render, screen, waitFor } from '@testing-library/react'
import { renderToString } from 'react-dom/server'
import { afterEach, expect, it, onTestFinished, vi } from 'vitest'
import { settle, show } from '../auth/testing/show.tsx'
import { LanguageProvider } from './language.tsx'
import * as catalogues from './messages/catalogues.ts'
import { Preferences } from './site-footer.tsx'

afterEach(() => {
  localStorage.clear()
  delete document.documentElement.dataset['theme']
})
const theme = () => screen.getByLabelText<HTMLSelectElement>('Theme')
const choose = (select: HTMLSelectElement, value: string) =>
  fireEvent.change(select, { target: { value } })
const kept = () => [
  localStorage.getItem(storageKeys.theme),
  document.documentElement.dataset['theme'],
  theme().value,
]

it('a theme is shown and kept; that of the device is neither', async () => {
  await show(<Preferences />)
  expect(kept()).toEqual([null, undefined, 'system'])
  choose(theme(), 'dark')
  expect(kept()).toEqual(['dark', 'dark', 'dark'])
  choose(theme(), 'light')
  expect(kept()).toEqual(['light', 'light', 'light'])
  choose(theme(), 'system')
  expect(kept()).toEqual([null, undefined, 'system'])
})

it('nothing is kept that nobody has chosen', async () => {
  await show(<Preferences />)
  expect(Object.keys(localStorage)).toEqual([])
})

it('what is chosen already is not chosen again', async () => {
  await show(<Preferences />)
  choose(screen.getByLabelText<HTMLSelectElement>('Language'), 'en')
  await settle()
  expect(Object.keys(localStorage)).toEqual([])
})

it.each([
  ['dark', 'dark'],
  ['system', undefined],
])('what was chosen before the page was hydrated counts: %s', async (chosen, shown) => {
  const page = (
    <LanguageProvider initial="en">
      <Preferences />
    </LanguageProvider>
  )
  // As browsers have it, and happy-dom has not.
  Object.defineProperty(HTMLOptionElement.prototype, 'defaultSelected', {
    configurable: true,
    get(this: HTMLOptionElement) {
      return this.hasAttribute('selected')
    },
    set(this: HTMLOptionElement, isSelected: boolean) {
      this.toggleAttribute('selected', isSelected)
    },
  })
  onTestFinished(() => void Reflect.deleteProperty(HTMLOptionElement.prototype, 'defaultSelected'))
  const container = document.body.appendChild(document.createElement('div'))
  container.innerHTML = renderToString(page)
  theme().value = chosen
  await act(async () => render(page, { container, hydrate: true }))
  expect(document.documentElement.dataset['theme']).toBe(shown)
})

it('another language is kept, and the document says which it is', async () => {
  await show(<Preferences />)
  choose(screen.getByLabelText<HTMLSelectElement>('Language'), 'es')
  await waitFor(() => expect(document.documentElement.lang).toBe('es'))
  expect(localStorage.getItem(storageKeys.language)).toBe('es')
})

it('a language whose texts do not come is not kept, and the failure is told', async () => {
  vi.spyOn(catalogues, 'loadAreasInUse').mockRejectedValue(new Error('lost'))
  await show(<Preferences />)
  const language = screen.getByLabelText<HTMLSelectElement>('Language')
  choose(language, 'zh')
  expect(await screen.findByText(/^The texts could not be loaded/)).toBeTruthy()
  expect([localStorage.getItem(storageKeys.language), language.value]).toEqual([null, 'en'])
  vi.restoreAllMocks()
})

it('each language is named by itself, in its own tongue', async () => {
  await show(<Preferences />)
  const options = [...screen.getByLabelText<HTMLSelectElement>('Language').options]
  expect(options.map(({ lang, text }) => [lang, text])).toEqual([
    ['en', 'English'],
    ['zh', '简体中文'],
    ['es', 'Español'],
  ])
  expect([...theme().options].map(({ lang }) => lang)).toEqual(['', '', ''])
})
