import { inEveryLanguage } from '@starside/contract/languages.ts'
import { render } from '@testing-library/react'
import { expect, test } from 'vitest'
import { LanguageProvider } from '../ui/language.tsx'
import { loadCatalogue } from '../ui/messages/catalogues.ts'
import { PackageCard } from './package-card.tsx'

const markup = '"><img src=x onerror=alert(1)><script>alert(1)</script>'
const inAll = <Value,>(value: Value) => inEveryLanguage(() => value)

test('what an operator writes of a package is text on its card, whatever it holds', async () => {
  await loadCatalogue('dashboard', 'en')
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
        instead={null}
        tag={markup}
        onPurchase={async () => {}}
      />
    </LanguageProvider>,
  )
  expect(container.textContent.split(markup).length - 1).toBeGreaterThanOrEqual(4)
  expect(container.querySelectorAll('img, script')).toHaveLength(0)
  const attributes = [...container.querySelectorAll('*')].flatMap((one) => [...one.attributes])
  expect(attributes.filter(({ name }) => name.startsWith('on'))).toEqual([])
})
