import { inEveryLanguage } from './languages.ts'
import { successful } from './successful.ts'
import { z } from 'zod'

/** A text in each language of the interface. */
const translatedText = z.object(inEveryLanguage(() => z.string()))

const features = z.array(
  z.object({
    text: z.string(),
    /** Whether it is what this package has before the others. */
    isDistinct: z.boolean(),
  }),
)

const creditPackage = z.object({
  type: z.string(),
  /** US cents, so that money is never a fraction. */
  priceCents: z.number().int(),
  credits: z.number().int(),
  title: translatedText,
  description: translatedText,
  features: z.object(inEveryLanguage(() => features)),
  isPopular: z.boolean(),
})

/** What `GET /config` publishes about this installation. */
export const publicSettingsAnswer = successful({
  /** Whose site this is, as its operator has set it. */
  brand: z.object({
    name: z.string(),
    /** One line about it, by language; empty: the program's own. */
    line: translatedText,
    logo: z.object({ url: z.string(), widthPx: z.number(), heightPx: z.number() }).nullable(),
    /** What a shared picture is posted with, by language, with `{celebrity}`; empty: our own. */
    shareText: translatedText,
    /** Hashtags without the number sign. */
    shareTags: z.array(z.string()),
  }),
  /** What is on sale, in the order that it is offered in. */
  packages: z.array(creditPackage),
  /** What the brand mark of free pictures says: the host, unless the operator set other words. */
  markText: z.string(),
  /** True when payments are in test money. */
  testMoney: z.boolean(),
  /** True when mails are but printed where the program runs, as without a mail server at home. */
  mailsInTerminal: z.boolean(),
  contactEmail: z.string(),
  /** Who runs it, as on the legal pages; empty while nobody said. The address may have lines. */
  operator: z.object({ name: z.string(), address: z.string() }),
  socialUrl: z.string(),
  communityUrl: z.string(),
  referralBonusCredits: z.number().int(),
  /** Services outside that photos are sent to, by their known names; empty: photos stay here. */
  photoRecipients: z.array(z.string()),
})
export type PublicSettingsAnswer = z.infer<typeof publicSettingsAnswer>
