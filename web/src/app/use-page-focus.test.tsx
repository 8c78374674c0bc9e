import { act, render, screen } from '@testing-library/react'
import { useEffect, useState } from 'react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { Router, useLocation, useNavigate } from '../ui/router.tsx'
import { shown, type Brand } from '../ui/brand.ts'
import { usePageFocus } from './app.tsx'

let navigate: ReturnType<typeof useNavigate>
let showForm: (isShown: boolean) => void

function Pages() {
  const go = useNavigate()
  useEffect(() => {
    navigate = go
  }, [go])
  const { pathname, search } = useLocation()
  const [hasForm, setForm] = useState(false)
  useEffect(() => {
    showForm = setForm
  }, [])
  usePageFocus()
  return (
    <main>
      <h1>{pathname + search}</h1>
      {hasForm ? <h2 data-page-heading>The form</h2> : null}
      <a id="more" href="#more">
        More
      </a>
      <section id="packages" aria-label="Packages" />
    </main>
  )
}

beforeEach(() => {
  vi.stubGlobal('scrollTo', vi.fn())
  document.title = 'Starside'
  history.replaceState(null, '', '/')
  render(
    <Router>
      <Pages />
    </Router>,
  )
})
afterEach(() => {
  vi.unstubAllGlobals()
  history.replaceState(null, '', '/')
})

const go = (to: string) => act(async () => navigate(to))
const focused = () => document.activeElement?.textContent

it('the first page is left as it is', () => {
  expect(document.activeElement).toBe(document.body)
  expect(document.title).toBe('Starside')
  expect(scrollTo).not.toHaveBeenCalled()
})

it('a new page starts at its top, with the focus on its heading', async () => {
  await go('/auth?mode=register')
  expect(focused()).toBe('/auth?mode=register')
  expect(scrollTo).toHaveBeenCalledExactlyOnceWith(0, 0)
  screen.getByRole('heading').blur()
  await go('/auth')
  expect(focused()).toBe('/auth')
})

it('who comes back to a page finds it where they left it', async () => {
  await go('/dashboard')
  vi.stubGlobal('scrollY', 420)
  await go('/auth')
  await act(async () => {
    const back = new Promise((resolve) => addEventListener('popstate', resolve, { once: true }))
    history.back()
    await back
  })
  expect(focused()).toBe('/dashboard')
  expect(scrollTo).toHaveBeenLastCalledWith(0, 420)
})

it('what changes on a page alone moves neither focus nor page', async () => {
  await go('/dashboard')
  const title = document.title
  screen.getByRole('heading').blur()
  await go('/dashboard?order=o1')
  expect(document.activeElement).toBe(document.body)
  expect(scrollTo).toHaveBeenCalledOnce()
  expect(document.title).toBe(title)
})

it('a hash leads to its part, and one of no part to the heading', async () => {
  const lead = vi.spyOn(HTMLElement.prototype, 'scrollIntoView').mockReturnValue(undefined)
  await go('/dashboard#packages')
  expect(document.activeElement).toBe(screen.getByLabelText('Packages'))
  expect(lead).toHaveBeenCalledOnce()
  expect(location.hash, 'what changes the address later leads there no more').toBe('')
  await go('/dashboard?view=account#nowhere')
  expect(focused()).toBe('/dashboard?view=account')
  lead.mockRestore()
})

it('the landing page has the name of the site, whichever page was the first', async () => {
  shown.brand = { name: 'Nightlight' } as Brand
  await go('/auth')
  await go('/')
  expect(document.title).toBe('Nightlight')
})

it('takes the focus to the form’s own heading, and leaves what Tab stops at a stop', async () => {
  const focus = vi.spyOn(HTMLElement.prototype, 'focus')
  act(() => showForm(true))
  await go('/auth?mode=forgot')
  const form = screen.getByRole('heading', { name: 'The form' })
  expect([document.activeElement, form.tabIndex]).toEqual([form, -1])
  expect(focus).toHaveBeenLastCalledWith({ preventScroll: true })
  form.blur()
  await go('/auth?mode=register')
  expect(document.activeElement, 'another form of the page').toBe(form)
  await go('/auth?mode=register#more')
  const more = screen.getByRole('link', { name: 'More' })
  expect([document.activeElement, more.tabIndex]).toEqual([more, 0])
  focus.mockRestore()
})
