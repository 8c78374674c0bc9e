import { act, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { storageKeys } from '@starside/contract/api.ts'
import { unknownPagePath } from '@starside/contract/pages.ts'
import { holdQuestions } from '../api/testing/test-answers.ts'
import { settle } from '../ui/testing/press-each.ts'
import { App } from './app.tsx'
import { pagePrograms } from './page-programs.tsx'
import { Router } from '../ui/router.tsx'

const programs = { ...pagePrograms }
beforeEach(() => void holdQuestions())
afterEach(() => {
  Object.assign(pagePrograms, programs)
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
  localStorage.clear()
  history.replaceState(null, '', '/')
})

const open = async (address: string): Promise<void> => {
  history.replaceState(null, '', address)
  await act(async () =>
    render(
      <Router>
        <App language="en" />
      </Router>,
    ),
  )
  await settle()
}
const at = (name: keyof typeof pagePrograms, View: () => React.ReactNode): void => {
  pagePrograms[name] = { ...pagePrograms[name], View }
}

it('a path that no page has leads to the page for that', async () => {
  at('landing', () => <h1>Landing</h1>)
  await open('/nowhere')
  expect(location.pathname + location.hash).toBe(unknownPagePath)
  expect(screen.getByRole('heading', { name: 'Landing' })).toBeDefined()
})

it.each(['kiosk', 'wall', 'event'] as const)(
  'a guest’s page %s waits for nobody’s session',
  async (name) => {
    localStorage.setItem(storageKeys.authToken, 'of the site')
    at(name, () => <h1>For guests</h1>)
    const path = { kiosk: '/e/gala/kiosk', wall: '/e/gala/wall', event: '/e/gala' }[name]
    await open(path)
    expect(screen.getByRole('heading', { name: 'For guests' })).toBeDefined()
    expect(document.querySelector('.auth-pending-cover')).toBeNull()
  },
)

it('a page of the signed in is kept from a stranger, who is led to sign in', async () => {
  at('dashboard', () => <h1>Dashboard</h1>)
  at('auth', () => <h1>Sign in</h1>)
  await open('/dashboard')
  expect(location.pathname).toBe('/auth')
  expect(screen.queryByRole('heading', { name: 'Dashboard' })).toBeNull()
})

it('a page that breaks says so, and is loaded anew by a press', async () => {
  vi.spyOn(console, 'error').mockReturnValue(undefined)
  const reload = vi.spyOn(location, 'reload').mockReturnValue(undefined)
  at('landing', () => {
    throw new Error('broken')
  })
  await open('/')
  expect(screen.getByRole('heading', { level: 1 }).textContent).toMatch(/^Something went wrong/)
  expect(reload).not.toHaveBeenCalled()
  fireEvent.click(screen.getByRole('button'))
  expect(reload).toHaveBeenCalledOnce()
})
