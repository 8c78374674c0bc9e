import { z } from 'zod'

/** What defaults are made of: the settings of the environment. */
export interface SiteFallbacks {
  publicHost: string
  contactEmail: string
  socialUrl: string
  communityUrl: string
  mailFrom: string | undefined
}

/** One thing that an operator can change while the program runs. */
export interface SiteSetting<Schema extends z.ZodType = z.ZodType> {
  /** What it is, for the operator. */
  title: string
  /** What is accepted; values are stored as JSON. */
  schema: Schema
  /** What holds while nothing is set: the specification's value. */
  fallback(fallbacks: SiteFallbacks): z.output<Schema>
}

/** One line that people read: no control characters and no marks that turn the direction of text. */
export function plainLine(lengthMax: number) {
  return z
    .string()
    .trim()
    .max(lengthMax, `At most ${lengthMax} characters.`)
    .regex(/^[^\p{Cc}\u2028\u2029\u202A-\u202E\u2066-\u2069]*$/u, 'One line of plain text.')
}

const webAddress = z
  .string()
  .trim()
  .max(300)
  .refine((text) => /^https?:$/.test(URL.parse(text)?.protocol ?? ''), 'An address with https://')

/**
 * Everything that can be changed under `/admin` and by `npm run admin -- settings`: key, what is
 * accepted, default. Forms, checks, history and the commands follow this list.
 */
export const siteSettings = {
  'brand.name': setting({
    title: 'Name',
    schema: plainLine(40).min(1, 'A name is needed.'),
    fallback: () => 'Starside',
  }),
  'brand.contactEmail': setting({
    title: 'Contact address',
    schema: z.email('An e-mail address.').max(254),
    fallback: ({ contactEmail }) => contactEmail,
  }),
  'brand.socialUrl': setting({
    title: 'Social page',
    schema: webAddress,
    fallback: ({ socialUrl }) => socialUrl,
  }),
  'brand.communityUrl': setting({
    title: 'Community chat',
    schema: webAddress,
    fallback: ({ communityUrl }) => communityUrl,
  }),
  'brand.mailFrom': setting({
    title: 'Sender of mails',
    schema: z.union([z.literal(''), z.email('An e-mail address.').max(254)]),
    // Empty: MAIL_FROM, or `no-reply` at the host.
    fallback: () => '',
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

function setting<Schema extends z.ZodType>(declared: SiteSetting<Schema>): SiteSetting<Schema> {
  return declared
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
