import { render, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { AuthContext } from '../auth/auth-context.ts'
import { testAuth } from '../auth/testing/test-auth.ts'
import { LanguageProvider } from '../ui/language.tsx'
import { loadCatalogue } from '../ui/messages/catalogues.ts'
import { placeAt, Router } from '../ui/router.tsx'
import { SharedSelfie } from './shared-selfie.tsx'

beforeEach(() => loadCatalogue('shell', 'es'))
afterEach(() => {
  document.head.replaceChildren()
})

/** Opens a public link whose page came with the card of `cardOf`. */
function open(language: 'en' | 'es', cardOf = 'abc', auth = testAuth): void {
  document.head.innerHTML = `<meta property="og:title" content="A selfie with Elena Vassandri">
    <meta property="og:image" content="https://host/api/shares/${cardOf}/card.jpg?lang=en">`
  render(
    <LanguageProvider initial={language}>
      <Router initial={placeAt('/?selfie=abc')}>
        <AuthContext value={auth}>
          <SharedSelfie />
        </AuthContext>
      </Router>
    </LanguageProvider>,
  )
}

test('a shared selfie is named by its star', () => {
  open('en')
  expect(screen.getByRole('heading').textContent).toBe('A selfie with Elena Vassandri')
  expect(screen.getByRole('img').getAttribute('src')).toBe('/api/shares/abc/picture.jpg')
})

test('in another language than that of the card it has a heading without a name', () => {
  open('es')
  expect(screen.getByRole('heading').textContent).toBe('Alguien ha compartido un selfie contigo')
})

test.each([
  ['a stranger is offered a free one', false, 'Make yours for free'],
  ['somebody who is signed in is not told that the first is free', true, 'Start Creating'],
])('%s', (_who, isAuthenticated, button) => {
  open('en', 'abc', { ...testAuth, isAuthenticated })
  expect(screen.getByRole('link', { name: button })).toBeTruthy()
  expect(screen.queryByText(/the first is free/) === null).toBe(isAuthenticated)
})

test('a link that no longer works shows nothing of a selfie', () => {
  open('en', 'other')
  expect(screen.queryByRole('heading')).toBeNull()
})

test('the card says that it is made with AI, and leads on with its owner’s code', () => {
  history.replaceState(null, '', '/')
  open('en')
  expect(screen.getByText('Made with AI')).toBeTruthy()
  expect(screen.getByRole('link', { name: 'Report a picture' }).getAttribute('href')).toBe(
    '/?report=abc',
  )
  document.head.replaceChildren()
})

test('an address without a selfie shows none, though the page has a card', () => {
  document.head.innerHTML =
    '<meta property="og:image" content="https://host/api/shares//card.jpg?lang=en">'
  render(
    <LanguageProvider initial="en">
      <Router initial={placeAt('/?selfie=')}>
        <AuthContext value={testAuth}>
          <SharedSelfie />
        </AuthContext>
      </Router>
    </LanguageProvider>,
  )
  expect(screen.queryByRole('heading')).toBeNull()
})
