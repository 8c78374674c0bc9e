import { keysOf } from '@starside/contract/keys-of.ts'
import { inEveryLanguage } from '@starside/contract/languages.ts'
import { z } from 'zod'
import { brandSettings, plainLine, programName, themes } from './brand-settings.ts'
import { packagesSchema, specifiedPackages } from './package-settings.ts'
import titles from './site-setting-titles.json' with { type: 'json' }

const plainLines =
  /^[^\p{Cc}\u202A-\u202E\u2066-\u2069]*(?:\r?\n[^\p{Cc}\u202A-\u202E\u2066-\u2069]*)*$/u

/**
 * Everything that can be changed under `/admin` and by `npm run admin -- settings`, with what is accepted;
 * values are stored as JSON, and none is null. Forms, checks, history and the commands follow this list.
 */
export const siteSettings = {
  ...brandSettings,
  packages: packagesSchema,
  'images.filterWaiver': plainLine(500),
  'stars.afterLicence': z.enum(['keep', 'remove']),
  'legal.operator': plainLine(120),
  'legal.address': z.string().trim().max(400).regex(plainLines, 'Lines of plain text.'),
}

export type SiteKey = keyof typeof siteSettings
export type SiteValues = {
  readonly [Key in SiteKey]: z.output<(typeof siteSettings)[Key]>
}

export const siteKeys: readonly SiteKey[] = keysOf(siteSettings)

export function isSiteKey(text: string): text is SiteKey {
  return Object.hasOwn(siteSettings, text)
}

/** What each setting is, for the operator. */
export const siteTitles: Readonly<Record<SiteKey, string>> = titles

/** What defaults are made of: the settings of the environment. */
export interface SiteFallbacks {
  publicHost: string
  contactEmail: string
  socialUrl: string
  communityUrl: string
  mailFrom: string | undefined
}

/** What holds while nothing is set: the specification's values. */
export function defaultSiteValues(fallbacks: SiteFallbacks): SiteValues {
  const { contactEmail, socialUrl, communityUrl } = fallbacks
  const nothingTranslated = inEveryLanguage(() => '')
  return {
    'brand.name': programName,
    'brand.line': nothingTranslated,
    'brand.logo': '',
    'brand.icon': '',
    'brand.accentLight': themes.light.accent,
    'brand.accentDark': themes.dark.accent,
    'brand.contactEmail': contactEmail,
    'brand.socialUrl': socialUrl,
    'brand.communityUrl': communityUrl,
    'brand.shareText': nothingTranslated,
    'brand.shareTags': ['{brand}', 'CelebritySelfie', 'AI'],
    'brand.markText': '',
    'brand.mailFrom': '',
    packages: specifiedPackages,
    'images.filterWaiver': '',
    'stars.afterLicence': 'keep',
    'legal.operator': '',
    'legal.address': '',
  }
}
