import type { CreditPackage } from '@starside/contract/packages.ts'
import { render, screen } from '@testing-library/react'
import { beforeEach, expect, test } from 'vitest'
import { LanguageProvider } from '../ui/language.tsx'
import { loadCatalogue } from '../ui/messages/catalogues.ts'
import { placeAt, Router } from '../ui/router.tsx'
import { PackageOffers } from './package-offers.tsx'
import { basic, premium } from './testing/test-packages.ts'

beforeEach(async () => {
  await Promise.all([loadCatalogue('dashboard', 'en'), loadCatalogue('shell', 'en')])
})

const offer = (packages: CreditPackage[]) =>
  render(
    <LanguageProvider initial="en">
      <Router initial={placeAt('/dashboard')}>
        <PackageOffers
          settings={{ packages, testMoney: false }}
          premium
          onPurchase={async () => undefined}
        />
      </Router>
    </LanguageProvider>,
  )
const isClosed = (name: string) => screen.getByRole<HTMLButtonElement>('button', { name }).disabled

test('a premium user is led from the premium package to the other one, by its title', () => {
  offer([{ ...basic, title: { en: 'Small', es: '', zh: '' } }, premium])
  expect([isClosed('Purchase $10'), isClosed('Purchase $19.90')]).toEqual([false, true])
  expect(screen.getByText('Current Plan')).toBeTruthy()
  expect(screen.getByText(/For more credits, choose Small\.$/)).toBeTruthy()
})

test('a premium user can buy the premium package where it is the only one on sale', () => {
  offer([premium])
  expect(isClosed('Purchase $19.90')).toBe(false)
  expect(screen.queryByText('Current Plan')).toBeNull()
})

test('the credits among the benefits are those of the smallest package', () => {
  offer([basic, premium])
  expect(screen.getByText('40 credits included')).toBeTruthy()
})
