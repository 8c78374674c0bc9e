import { contrastMin, contrastOf, passingColour } from '@starside/contract/contrast.ts'
import { keysOf } from '@starside/contract/keys-of.ts'
import { inEveryLanguage } from '@starside/contract/languages.ts'
import { z } from 'zod'
import iconKinds from './icon-kinds.json' with { type: 'json' }

/** One line that people read: no control characters and no marks that turn the direction of text. */
export function plainLine(lengthMax: number) {
  return z
    .string()
    .trim()
    .max(lengthMax, `At most ${lengthMax} characters.`)
    .regex(/^[^\p{Cc}\u2028\u2029\u202A-\u202E\u2066-\u2069]*$/u, 'One line of plain text.')
}

/** The themes of `web/src/ui/styles.css`: colours of a page, text on the accent, and the accent. */
export const themes = {
  light: { background: '#f4efe4', onAccent: '#fffaf0', accent: '#c8271a' },
  dark: { background: '#17090a', onAccent: '#15110f', accent: '#ff5b45' },
} as const

const webAddress = z
  .string()
  .trim()
  .max(300)
  .refine((text) => /^https?:$/.test(URL.parse(text)?.protocol ?? ''), 'An address with https://')

/** A text in each language; an empty one stands for the program's own. */
const translated = (lengthMax: number) => z.object(inEveryLanguage(() => plainLine(lengthMax)))

const emailSentence = 'Please enter a full e-mail address, such as us@example.com.'
const email = z.email(emailSentence).max(254)
/** Where nobody has set a name of a host yet, the address that an installation begins with is one of this machine. */
const ofThisMachine = /^hello@(localhost|[\d.]+)$/
const contactAddress = z
  .string()
  .max(254)
  .refine((text) => ofThisMachine.test(text) || email.safeParse(text).success, emailSentence)

const pictureFile = z.string().regex(/^[\da-f]{32}\.png$/)
/** A picture of the object store, by the hash in its name. */
const storedPicture = z.object({
  file: pictureFile,
  widthPx: z.number().int().positive(),
  heightPx: z.number().int().positive(),
})
const nothing = z.literal('')

/**
 * What platforms want of an icon: its side in pixels, how much of it the picture takes, its ground. Of a maskable
 * one they cut their own shape; what matters lies in the middle 80 % (W3C, App Manifest, 2.4.1).
 */
export { iconKinds }

/** With files in the sizes of `iconKinds`; an icon of an earlier version has none. */
const storedIcon = storedPicture.extend({
  sizes: z.record(z.enum(keysOf(iconKinds)), pictureFile).optional(),
})

function accent(theme: keyof typeof themes) {
  const { background, onAccent } = themes[theme]
  return z
    .string()
    .trim()
    .toLowerCase()
    .regex(/^#[\da-f]{6}$/, { message: 'A colour such as #c8271a.', abort: true })
    .superRefine((colour, check) => {
      const grounds = [background, onAccent]
      const worst = Math.min(...grounds.map((other) => contrastOf(colour, other)))
      if (worst >= contrastMin) return
      const near = passingColour(colour, grounds, contrastMin)
      check.addIssue({
        code: 'custom',
        message: `The accent colour is too ${theme === 'light' ? 'pale' : 'dark'} in the ${theme} theme: contrast ${worst.toFixed(2)}, needs ${contrastMin}. The nearest that passes is ${near}.`,
      })
    })
}

/** The program's own name, which an installation has until an operator sets another. */
export const programName = 'Starside'

/** Whose site it is: what people see of it everywhere. */
export const brandSettings = {
  'brand.name': plainLine(40).min(1, 'A name is needed.'),
  'brand.line': translated(120),
  'brand.logo': nothing.or(storedPicture),
  'brand.icon': nothing.or(storedIcon),
  'brand.accentLight': accent('light'),
  'brand.accentDark': accent('dark'),
  'brand.contactEmail': contactAddress,
  'brand.socialUrl': webAddress,
  'brand.communityUrl': webAddress,
  'brand.shareText': translated(200),
  /** `{brand}` stands for the name without what no hashtag may hold. */
  'brand.shareTags': z
    .array(z.string().regex(/^(?:\{brand\}|[\p{L}\p{N}_]{1,40})$/u, 'Letters, digits and _ alone.'))
    .max(6, 'At most six.'),
  /** Empty: as `usualMarkText` has it. The mark is drawn from outlines of these letters alone. */
  'brand.markText': z
    .string()
    .trim()
    .max(60)
    .regex(/^[\u0020-\u007E]*$/, 'Letters without accents, digits and signs.'),
  /** Empty: MAIL_FROM, or `no-reply` at the host. */
  'brand.mailFrom': nothing.or(email),
}
