import { act, fireEvent, render, screen } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { beforeEach, expect, it, vi } from 'vitest'
import { placeAt, Redirect, Router, useLocation, useNavigate, Link } from './router.tsx'

function Shown() {
  const { pathname, search, hash, state, leftAtPx } = useLocation()
  const navigate = useNavigate()
  return (
    <>
      <output>{`${pathname}${search}${hash} ${JSON.stringify(state)}`}</output>
      <span data-testid="left at">{leftAtPx}</span>
      <Link to="/auth?mode=register#form">register</Link>
      <button type="button" onClick={() => navigate('/b', { replace: true, state: { from: 1 } })}>
        replace
      </button>
      {pathname === '/away' ? <Redirect to="/home" state={{ was: '/away' }} /> : null}
    </>
  )
}
const shown = () => screen.getByRole('status').textContent

beforeEach(() => history.replaceState(null, '', '/'))

const show = () =>
  render(
    <Router>
      <Shown />
    </Router>,
  )

it('follows links and the browser’s back button', async () => {
  show()
  await userEvent.click(screen.getByRole('link'))
  expect(shown()).toBe('/auth?mode=register#form null')
  expect(location.pathname).toBe('/auth')
  history.replaceState({ kept: true }, '', '/earlier')
  await act(async () => dispatchEvent(new PopStateEvent('popstate')))
  expect(shown()).toBe('/earlier {"kept":true}')
})

it('replaces the current entry and hands a state on', async () => {
  show()
  const entries = history.length
  await userEvent.click(screen.getByRole('button', { name: 'replace' }))
  expect(shown()).toBe('/b {"from":1}')
  expect(history.length).toBe(entries)
})

it('leaves clicks that open a tab to the browser', async () => {
  show()
  const user = userEvent.setup()
  for (const key of ['Control', 'Shift', 'Alt', 'Meta']) {
    await user.keyboard(`{${key}>}`)
    await user.click(screen.getByRole('link'))
    await user.keyboard(`{/${key}}`)
    expect(shown(), key).toBe('/ null')
  }
})

it('leads on from a page that is not for the reader', async () => {
  history.replaceState(null, '', '/away')
  await act(async () => show())
  expect(shown()).toBe('/home {"was":"/away"}')
})

it('starts where it is told when there is no browser', () => {
  render(
    <Router initial={placeAt('/terms?x=1')}>
      <Shown />
    </Router>,
  )
  expect(shown()).toBe('/terms?x=1 null')
})

it('remembers where a page stood that a link led on from, but not one that was replaced', async () => {
  const scrolled = vi.spyOn(globalThis, 'scrollY', 'get').mockReturnValue(300)
  const comeBackTo = async (path: string) => {
    history.replaceState(null, '', path)
    await act(async () => dispatchEvent(new PopStateEvent('popstate')))
    return screen.getByTestId('left at').textContent
  }
  history.replaceState(null, '', '/replaced')
  show()
  await userEvent.click(screen.getByRole('button', { name: 'replace' }))
  await userEvent.click(screen.getByRole('link'))
  expect([await comeBackTo('/b'), await comeBackTo('/replaced')]).toEqual(['300', '0'])
  scrolled.mockRestore()
})

it('remembers where each view of a page stood, not the page alone', async () => {
  const scrolled = vi.spyOn(globalThis, 'scrollY', 'get').mockReturnValue(300)
  history.replaceState(null, '', '/long?view=list')
  show()
  await userEvent.click(screen.getByRole('link'))
  const stoodAt: (string | null)[] = []
  for (const path of ['/long?view=list', '/long?view=one']) {
    history.replaceState(null, '', path)
    await act(async () => dispatchEvent(new PopStateEvent('popstate')))
    stoodAt.push(screen.getByTestId('left at').textContent)
  }
  expect(stoodAt).toEqual(['300', '0'])
  scrolled.mockRestore()
})

it('leaves a link where it is whose own press has said no', async () => {
  render(
    <Router>
      <Link to="/elsewhere" onClick={(event) => event.preventDefault()}>
        not now
      </Link>
    </Router>,
  )
  await userEvent.click(screen.getByRole('link'))
  expect(location.pathname).toBe('/')
})

it('leaves a press of another button to the browser', () => {
  show()
  fireEvent.click(screen.getByRole('link'), { button: 1 })
  expect(shown()).toBe('/ null')
})
