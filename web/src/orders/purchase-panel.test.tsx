import { act, cleanup, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, test, vi } from 'vitest'
import { LanguageProvider } from '../ui/language.tsx'
import { placeAt, Router } from '../ui/router.tsx'
import { PurchasePanel } from './purchase-panel.tsx'
import { basic, premium } from './testing/test-packages.ts'
afterEach(() => {
  vi.unstubAllGlobals()
})

async function showAt(widthPx: number, isPremium = false): Promise<void> {
  vi.stubGlobal('matchMedia', (query: string) => ({
    matches: widthPx >= 16 * Number(/>= (\d+)rem/.exec(query)?.[1]),
  }))
  const panel = (
    <LanguageProvider initial="en">
      <Router initial={placeAt('/dashboard')}>
        <PurchasePanel
          settings={{ packages: [basic, premium], testMoney: false }}
          premium={isPremium}
          creditsBalance={1}
          onPurchase={async () => undefined}
        />
      </Router>
    </LanguageProvider>
  )
  await act(async () => render(panel))
}

const purchase = { name: /^Purchase \$/ }
const findOffers = () => screen.findAllByRole('button', purchase)

test('from 1280 px on both packages stand open without a press', async () => {
  await showAt(1280)
  expect(await findOffers()).toHaveLength(2)
})

test('packages that stood open on a wide screen are folded on a narrower one', async () => {
  await showAt(1280)
  await findOffers()
  vi.stubGlobal('matchMedia', () => ({ matches: false }))
  await act(async () => dispatchEvent(new Event('resize')))
  expect(screen.queryByRole('button', purchase)).toBeNull()
})

test('on a narrower screen the packages are folded while there are credits', async () => {
  await showAt(1279)
  expect(screen.queryByRole('button', purchase)).toBeNull()
  await userEvent.click(screen.getByRole('link', { name: /Get more credits/ }))
  expect(await findOffers()).toHaveLength(2)
})

test('every link to the packages unfolds them, none folds them, and a button of their own does', async () => {
  await showAt(1279)
  const link = document.body.appendChild(document.createElement('a'))
  link.href = '#packages'
  await userEvent.click(link.appendChild(document.createElement('span')))
  expect(await findOffers()).toHaveLength(2)
  await userEvent.click(screen.getByRole('link', { name: /Get more credits/ }))
  expect(await findOffers()).toHaveLength(2)
  await userEvent.click(screen.getByRole('button', { name: 'Hide for now' }))
  expect(screen.queryByRole('button', purchase)).toBeNull()
})

test.each([1279, 1280])(
  'an address that leads to the packages finds them unfolded at %d px, and leads there until something is done',
  async (widthPx) => {
    const grow = watchGrowth()
    const led = vi.spyOn(Element.prototype, 'scrollIntoView')
    history.replaceState(null, '', '/dashboard')
    await showAt(widthPx)
    expect(led).not.toHaveBeenCalled()
    cleanup()
    history.replaceState(null, '', '/dashboard#packages')
    await showAt(widthPx)
    expect(await findOffers()).toHaveLength(2)
    const packages = screen.getByRole('region', { name: 'Get more credits' })
    expect(led.mock.contexts).toEqual([packages])
    expect(location.hash, 'and leads there once').toBe('')
    grow()
    expect(led.mock.contexts).toEqual([packages, packages])
    await userEvent.keyboard('{Tab}')
    grow()
    expect(led).toHaveBeenCalledTimes(2)
    history.replaceState(null, '', '/')
    led.mockRestore()
  },
)

/** Stands in for the browser's watch over sizes. @returns tells of a page that has grown */
function watchGrowth(): () => void {
  const hearers = new Set<() => void>()
  vi.stubGlobal(
    'ResizeObserver',
    class {
      observe: () => void
      disconnect: () => void
      constructor(hear: () => void) {
        this.observe = () => {
          hearers.add(hear)
          hear()
        }
        this.disconnect = () => hearers.delete(hear)
      }
    },
  )
  return () => hearers.forEach((hear) => hear())
}

test('who has bought before is told of their benefits, and who has not of neither', async () => {
  const told = () =>
    ['Premium User', 'Free User', 'Watermark-Free Photos Enabled', 'Your benefits'].filter(
      (text) => screen.queryByText(text) !== null,
    )
  await showAt(1280)
  await findOffers()
  expect(told()).toEqual(['Free User'])
  cleanup()
  await showAt(1280, true)
  await screen.findByText('Your benefits')
  expect(told()).toEqual(['Premium User', 'Watermark-Free Photos Enabled', 'Your benefits'])
})

test.each([
  [0, true],
  [3, false],
])(
  'once it is known that there are %d credits, it says so, and the packages are unfolded: %s',
  async (credits, isUnfolded) => {
    vi.stubGlobal('matchMedia', () => ({ matches: false }))
    const panel = (creditsBalance: number | null) => (
      <LanguageProvider initial="en">
        <Router initial={placeAt('/dashboard')}>
          <PurchasePanel
            settings={{ packages: [basic], testMoney: false }}
            premium={false}
            creditsBalance={creditsBalance}
            onPurchase={async () => undefined}
          />
        </Router>
      </LanguageProvider>
    )
    const shown = render(panel(null))
    expect(screen.getByText(/^-- credits$/)).toBeTruthy()
    expect(screen.queryByText('Hide for now')).toBeNull()
    await act(async () => shown.rerender(panel(credits)))
    expect(screen.getByText(`${credits} credits`)).toBeTruthy()
    expect(screen.queryByText('Hide for now') !== null).toBe(isUnfolded)
    await act(async () => shown.rerender(panel(credits === 0 ? 3 : 0)))
    expect(screen.queryByText('Hide for now') !== null, 'it stays so').toBe(isUnfolded)
  },
)

test('a link to another part of the page unfolds nothing', async () => {
  await showAt(1279)
  const link = document.body.appendChild(document.createElement('a'))
  link.href = '#gallery'
  await userEvent.click(link)
  expect(screen.queryByText('Hide for now')).toBeNull()
  history.replaceState(null, '', '/')
})
