import { inEveryLanguage } from '@starside/contract/languages.ts'
import { fireEvent, render, screen } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { LanguageProvider } from '../ui/language.tsx'
import { loadCatalogue } from '../ui/messages/catalogues.ts'
import { PackageCard } from './package-offers.tsx'
import { basic, premium } from './testing/test-packages.ts'

const markup = '"><img src=x onerror=alert(1)><script>alert(1)</script>'
const inAll = <Value,>(value: Value) => inEveryLanguage(() => value)

test('what an operator writes of a package is text on its card, whatever it holds', async () => {
  const { container } = render(
    <LanguageProvider initial="en">
      <PackageCard
        creditPackage={{
          type: 'basic',
          priceCents: 1_000,
          credits: 100,
          title: inAll(markup),
          description: inAll(markup),
          features: inAll([
            { text: markup, isDistinct: true },
            { text: `${markup} 2`, isDistinct: false },
          ]),
          isPopular: true,
        }}
        working={null}
        premium={false}
        other={undefined}
        onPurchase={async () => {}}
      />
    </LanguageProvider>,
  )
  expect(container.textContent.split(markup).length - 1).toBeGreaterThanOrEqual(4)
  expect(container.querySelectorAll('img, script')).toHaveLength(0)
  const attributes = [...container.querySelectorAll('*')].flatMap((one) => [...one.attributes])
  expect(attributes.filter(({ name }) => name.startsWith('on'))).toEqual([])
})

test.each([
  ['while nothing is bought', { working: null }, 'Purchase $10', false],
  ['while it is bought', { working: 'basic' }, 'Redirecting...', true],
  ['while another one is bought', { working: 'premium' }, 'Purchase $10', true],
  ['of a premium user', { working: null, premium: true }, 'Purchase $10', false],
] as const)('the button of a package %s', async (_when, state, text, isOff) => {
  const onPurchase = vi.fn(async () => {})
  render(
    <LanguageProvider initial="en">
      <PackageCard
        creditPackage={basic}
        premium={false}
        other={premium}
        onPurchase={onPurchase}
        {...state}
      />
    </LanguageProvider>,
  )
  const button = screen.getByRole<HTMLButtonElement>('button', { name: text })
  expect([button.getAttribute('aria-disabled'), button.disabled]).toEqual([String(isOff), false])
  fireEvent.click(button)
  expect(onPurchase.mock.calls).toEqual(isOff ? [] : [['basic']])
  expect(screen.getByText('$0.250 per credit')).toBeTruthy()
})

test.each([
  [basic, true],
  [undefined, false],
])('the plan of a premium user is closed where another one is on sale: %s', (other, isOff) => {
  render(
    <LanguageProvider initial="en">
      <PackageCard
        creditPackage={premium}
        working={null}
        premium
        other={other}
        onPurchase={async () => {}}
      />
    </LanguageProvider>,
  )
  expect(screen.getByRole<HTMLButtonElement>('button', { name: /^Purchase/ }).disabled).toBe(isOff)
  expect(screen.queryByText('160 more credits than Basic for $9.90 more') !== null).toBe(isOff)
  expect(screen.queryByText('Current Plan') !== null).toBe(isOff)
})

test('a package is read in the language of the reader, and its features unfold and fold', async () => {
  await loadCatalogue('dashboard', 'es')
  const inBoth = <Value,>(en: Value, es: Value) => ({ en, es, zh: en })
  const feature = (text: string) => [{ text, isDistinct: true }]
  render(
    <LanguageProvider initial="es">
      <PackageCard
        creditPackage={{
          ...premium,
          title: inBoth('Small', 'Pequeño'),
          description: inBoth('A few', 'Unos pocos'),
          features: inBoth(feature('Sharp'), feature('Nítido')),
        }}
        working={null}
        premium
        other={{ ...basic, title: inBoth('Large', 'Grande') }}
        onPurchase={async () => {}}
      />
    </LanguageProvider>,
  )
  expect(screen.getByRole('heading').textContent).toBe('Pequeño')
  expect(screen.getByText('Unos pocos')).toBeTruthy()
  expect(screen.getByText(/Grande/)).toBeTruthy()
  const feet = screen.getByText('Nítido').closest('ul')
  const fold = screen.getAllByRole('button')[0]!
  const isUnfolded = () => [fold.getAttribute('aria-expanded'), !/\bhidden/.test(feet!.className)]
  expect(isUnfolded()).toEqual(['false', false])
  fireEvent.click(fold)
  expect(isUnfolded()).toEqual(['true', true])
  fireEvent.click(fold)
  expect(isUnfolded()).toEqual(['false', false])
})
