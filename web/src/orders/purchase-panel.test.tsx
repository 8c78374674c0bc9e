// @vitest-environment happy-dom
import { inEveryLanguage } from '@starside/contract/languages.ts'
import { act, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { LanguageProvider } from '../ui/language.tsx'
import { loadCatalogue } from '../ui/messages/catalogues.ts'
import { placeAt, Router } from '../ui/router.tsx'
import { PurchasePanel } from './purchase-panel.tsx'

const offered = (type: string, priceCents: number) => ({
  type,
  priceCents,
  credits: 100,
  title: inEveryLanguage(() => type),
  description: inEveryLanguage(() => ''),
  features: inEveryLanguage(() => []),
  isPopular: false,
})

beforeEach(async () => {
  await Promise.all([loadCatalogue('dashboard', 'en'), loadCatalogue('shell', 'en')])
  const packages = [offered('basic', 1_000), offered('premium', 1_990)]
  const settings = document.createElement('div')
  settings.id = 'settings'
  settings.textContent = JSON.stringify({ packages })
  document.body.append(settings)
})
afterEach(() => {
  document.body.replaceChildren()
  vi.unstubAllGlobals()
})

/** The packages are loaded when they are first shown. */
const findOffers = () => screen.findAllByRole('button', { name: /^Purchase/ }, { timeout: 20_000 })

async function showAt(widthPx: number): Promise<void> {
  vi.stubGlobal('matchMedia', (query: string) => ({
    matches: widthPx >= Number(/>= (\d+)px/.exec(query)?.[1]),
  }))
  const panel = (
    <LanguageProvider initial="en">
      <Router initial={placeAt('/dashboard')}>
        <PurchasePanel premium={false} creditsBalance={1} onPurchase={async () => undefined} />
      </Router>
    </LanguageProvider>
  )
  await act(async () => render(panel))
}

test('from 1280 px on both packages stand open without a press', async () => {
  await showAt(1280)
  expect(await findOffers()).toHaveLength(2)
})

test('on a narrower screen the packages are folded while there are credits', async () => {
  await showAt(1279)
  expect(screen.queryByRole('button', { name: /^Purchase/ })).toBeNull()
  await userEvent.click(screen.getByRole('button', { name: /Get more credits/ }))
  expect(await findOffers()).toHaveLength(2)
})
