import type { PublicSettingsAnswer } from '@starside/contract/public-settings.ts'

export type Brand = PublicSettingsAnswer['brand']

let brand: Brand | undefined

/** Sets whose page this is, before any text is loaded. */
export function setBrand(next: Brand | undefined): void {
  brand = next
}

/** The name, logo and share texts that the operator has set; undefined in the build. */
export function currentBrand(): Brand | undefined {
  return brand
}

/** The texts with the name for `{brand}`, which stays in the build: the server puts it in there. */
export function withBrandName<Texts>(texts: Texts): Texts {
  const name = brand?.name
  if (name === undefined) return texts
  return JSON.parse(JSON.stringify(texts), (_key, value: unknown) =>
    typeof value === 'string' ? value.replaceAll('{brand}', () => name) : value,
  ) as Texts
}
