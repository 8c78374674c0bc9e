import type { CreditPackage } from '@starside/contract/packages.ts'
import { act, fireEvent, render, screen } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { LanguageProvider } from '../ui/language.tsx'
import { placeAt, Router } from '../ui/router.tsx'
import { PackageOffers } from './package-offers.tsx'
import { basic, premium } from './testing/test-packages.ts'

const offer = (packages: CreditPackage[], { isPremium = true, testMoney = false } = {}) =>
  render(
    <LanguageProvider initial="en">
      <Router initial={placeAt('/dashboard')}>
        <PackageOffers
          settings={{ packages, testMoney }}
          premium={isPremium}
          onPurchase={async () => undefined}
        />
      </Router>
    </LanguageProvider>,
  )
const isClosed = (name: string) => screen.getByRole<HTMLButtonElement>('button', { name }).disabled
const isOff = (name: string) =>
  screen.getByRole('button', { name }).getAttribute('aria-disabled') === 'true'

test('a premium user is led from the premium package to the other one, by its title', () => {
  offer([{ ...basic, title: { en: 'Small', es: '', zh: '' } }, premium])
  expect([isClosed('Purchase $10'), isClosed('Purchase $19.90')]).toEqual([false, true])
  expect(screen.getByText('Current Plan')).toBeTruthy()
  const told = "You're Premium for good. The Premium package is for first purchases only."
  expect(screen.getByText(told)).toBeTruthy()
  expect(screen.queryByText(/makes you Premium/), 'who is it already').toBeNull()
  expect(screen.getByText(/more credits than Small/)).toBeTruthy()
})

test('before anything is bought it is said once which package is no longer sold afterwards', () => {
  offer([basic, premium], { isPremium: false })
  const told =
    'Any purchase makes you Premium for good. The Premium package is for first purchases only.'
  expect(screen.getAllByText(told)).toHaveLength(1)
})

test('the larger package says how many credits more it has, and for how much', () => {
  offer([basic, premium], { isPremium: false })
  const told = screen.getAllByText(/more credits than/).map(({ textContent }) => textContent)
  expect(told).toEqual(['160 more credits than Basic for $9.90 more'])
})

test('a premium user can buy the premium package where it is the only one on sale', () => {
  offer([premium])
  expect(isClosed('Purchase $19.90')).toBe(false)
  expect(screen.queryByText('Current Plan')).toBeNull()
  expect(screen.queryByText(/can't buy/)).toBeNull()
})

test('the credits among the benefits are those of the smallest package', () => {
  offer([basic, premium])
  expect(screen.getByText('40 credits included')).toBeTruthy()
})

test.each([
  ['a free user', false, ['Most Popular']],
  ['a premium user', true, ['Current Plan']],
])('%s is told of the package that most choose, or that is theirs', (_who, isPremium, tags) => {
  offer([basic, { ...premium, isPopular: true }], { isPremium })
  const shown = ['Most Popular', 'Current Plan'].filter((text) => screen.queryByText(text))
  expect(shown).toEqual(tags)
  expect(screen.queryByText('Your benefits') !== null).toBe(isPremium)
})

test.each([true, false])('test money is told of: %s', (testMoney) => {
  offer([basic], { testMoney })
  const isTold = screen.queryByText(/No real money is used\./) !== null
  expect(isTold).toBe(testMoney)
})

test('while a purchase begins no other one does, and then each can be begun again', async () => {
  const begun = Promise.withResolvers<void>()
  const onPurchase = vi.fn(() => begun.promise)
  render(
    <LanguageProvider initial="en">
      <Router initial={placeAt('/dashboard')}>
        <PackageOffers
          settings={{ packages: [basic, premium], testMoney: false }}
          premium={false}
          onPurchase={onPurchase}
        />
      </Router>
    </LanguageProvider>,
  )
  fireEvent.click(screen.getByRole('button', { name: 'Purchase $10' }))
  expect([isOff('Redirecting...'), isOff('Purchase $19.90')]).toEqual([true, true])
  expect(isClosed('Redirecting...'), 'it keeps the focus').toBe(false)
  fireEvent.click(screen.getByRole('button', { name: 'Purchase $19.90' }))
  await act(async () => begun.resolve())
  expect([isOff('Purchase $10'), isOff('Purchase $19.90')]).toEqual([false, false])
  expect(onPurchase.mock.calls).toEqual([['basic']])
})

test('nothing is said of benefits before it is known what is on sale; the terms are a press away', () => {
  render(
    <LanguageProvider initial="en">
      <Router initial={placeAt('/dashboard')}>
        <PackageOffers settings={null} premium onPurchase={async () => undefined} />
      </Router>
    </LanguageProvider>,
  )
  expect(screen.queryByText('Your benefits')).toBeNull()
  const links = screen.getAllByRole('link').map((link) => link.getAttribute('href'))
  expect(links).toEqual(['/terms', '/privacy'])
})
