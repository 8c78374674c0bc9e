import type { PublicSettingsAnswer } from '@starside/contract/public-settings.ts'

export type Brand = PublicSettingsAnswer['brand']

/** Name, logo and share texts that the operator has set, known before any text is loaded; undefined in the build. */
export const shown: { brand?: Brand | undefined } = {}

/** The texts with the name for `{brand}`, which stays in the build: the server puts it in there. */
export function withBrandName<Texts>(texts: Texts): Texts {
  const name = shown.brand?.name
  if (name === undefined) return texts
  return JSON.parse(JSON.stringify(texts), (_key, value: unknown) =>
    typeof value === 'string' ? value.replaceAll('{brand}', () => name) : value,
  ) as Texts
}
