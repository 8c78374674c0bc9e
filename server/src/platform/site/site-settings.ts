import { z } from 'zod'
import { brandSettings } from './brand-settings.ts'
import { packageSettings } from './package-settings.ts'
import { plainLine, setting } from './setting.ts'
import type { SiteFallbacks } from './setting.ts'

/**
 * Everything that can be changed under `/admin` and by `npm run admin -- settings`: key, what is
 * accepted, default. Forms, checks, history and the commands follow this list.
 */
export const siteSettings = {
  ...brandSettings,
  ...packageSettings,
  'images.filterWaiver': setting({
    title: 'Why a server of your own may make pictures without a picture filter',
    schema: plainLine(500),
    fallback: () => '',
  }),
  'stars.afterLicence': setting({
    title: 'What becomes of pictures with a star whose licence has ended',
    schema: z.enum(['keep', 'remove']),
    fallback: () => 'keep' as const,
  }),
  'legal.operator': setting({
    title: 'Name of the operator',
    schema: plainLine(120),
    fallback: () => '',
  }),
  'legal.address': setting({
    title: 'Address of the operator',
    schema: z
      .string()
      .trim()
      .max(400)
      .regex(
        /^[^\p{Cc}\u202A-\u202E\u2066-\u2069]*(?:\r?\n[^\p{Cc}\u202A-\u202E\u2066-\u2069]*)*$/u,
        {
          message: 'Lines of plain text.',
        },
      ),
    fallback: () => '',
  }),
}

export type SiteKey = keyof typeof siteSettings
export type SiteValues = {
  readonly [Key in SiteKey]: z.output<(typeof siteSettings)[Key]['schema']>
}

export const siteKeys: readonly SiteKey[] = Object.keys(siteSettings).filter(isSiteKey)

export function isSiteKey(text: string): text is SiteKey {
  return Object.hasOwn(siteSettings, text)
}

/** The values while nothing is set. */
export function defaultSiteValues(fallbacks: SiteFallbacks): SiteValues {
  const entries = siteKeys.map((key) => [key, siteSettings[key].fallback(fallbacks)])
  // Each key has the output of its own schema.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return Object.fromEntries(entries) as SiteValues
}
