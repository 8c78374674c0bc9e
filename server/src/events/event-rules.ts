import { createHash } from 'node:crypto'
import { eventNamePattern, printFormats } from '@starside/contract/event-formats.ts'
import { languages } from '@starside/contract/languages.ts'
import { sceneNames } from '@starside/contract/scenes.ts'
import { z } from 'zod'
import { serverMessages } from '../platform/messages/texts.ts'
import { translatedFields } from '../platform/site/translated-fields.ts'
import type { EventRow } from './event.ts'

const whole = (min: number, max: number) => z.coerce.number().int().min(min).max(max)

/** A moment in UTC, of a form or a command: `2026-11-22T18:00`, or with a space. */
const moment = z
  .string()
  .trim()
  .regex(/^\d{4}-\d\d-\d\d[ T]\d\d:\d\d$/, { error: 'As 2026-12-01 18:00, in UTC.', abort: true })
  .transform((text) => `${text.replace(' ', 'T')}:00Z`)
  .pipe(z.iso.datetime({ error: 'There is no such day or time.', abort: true }))
  .transform((text) => new Date(text))

/** Words of a list, each on a line of its own or parted by commas. */
const words = z
  .string()
  .default('')
  .transform((text) => [...new Set(text.split(/[\s,]+/).filter((word) => word !== ''))])

const listOf = <Accepted extends string>(accepted: readonly Accepted[]) =>
  words.pipe(z.array(z.enum(accepted, { error: `Accepted are: ${accepted.join(', ')}.` })))

const yesOrNo = z.enum(['yes', 'no'])

/**
 * What an event is, as forms and commands give it; constraints in the database too. No stars or scenes named:
 * all that are offered; no words of consent: the program's own.
 */
export const eventRules = z
  .object({
    name: z
      .string('This is needed.')
      .trim()
      .regex(eventNamePattern, 'Small letters, digits and hyphens, two to forty.'),
    title: z.string('This is needed.').trim().min(1, 'This is needed.').max(80),
    from: moment,
    to: moment,
    stars: words,
    scenes: listOf(sceneNames),
    languages: listOf(languages),
    ...translatedFields('consent', () => z.string().trim().max(2_000).default('')),
    selfiesPerGuest: whole(1, 20).default(3),
    deletionDays: whole(0, 90).default(7),
    prints: listOf(printFormats),
    wall: yesOrNo.default('yes'),
    brandMark: yesOrNo.default('no'),
  })
  .refine(({ from, to }) => from < to, {
    path: ['to'],
    message: 'The end must not lie before the beginning.',
  })
export type EventRules = z.output<typeof eventRules>

/** The columns of what was said of an event. */
export function columnsOf(rules: EventRules) {
  const spoken = rules.languages.length === 0 ? [...languages] : rules.languages
  const consent = Object.fromEntries(
    spoken.map((language) => [
      language,
      rules[`consent_${language}`] || serverMessages[language].event.consent,
    ]),
  )
  const text = JSON.stringify(consent)
  return {
    name: rules.name,
    title: rules.title,
    starts_at: rules.from,
    ends_at: rules.to,
    deletion_days: rules.deletionDays,
    languages: spoken,
    consent: text,
    // The same words are the same version.
    consent_version: createHash('sha256').update(text).digest('base64url').slice(0, 12),
    star_ids: rules.stars,
    scenes: rules.scenes.length === 0 ? [...sceneNames] : rules.scenes,
    selfies_per_guest: rules.selfiesPerGuest,
    print_formats: rules.prints,
    has_wall: rules.wall === 'yes',
    has_brand_mark: rules.brandMark === 'yes',
  }
}

/** What a form begins with, to change an event; the other way round. */
export function fieldsOf(event: EventRow): Record<string, string> {
  const shown = (at: Date) => at.toISOString().slice(0, 16)
  return {
    name: event.name,
    title: event.title,
    from: shown(event.starts_at),
    to: shown(event.ends_at),
    stars: event.star_ids.join('\n'),
    scenes: event.scenes.join('\n'),
    languages: event.languages.join(', '),
    ...Object.fromEntries(
      languages.map((language) => [`consent_${language}`, event.consent[language] ?? '']),
    ),
    selfiesPerGuest: String(event.selfies_per_guest),
    deletionDays: String(event.deletion_days),
    prints: event.print_formats.join(', '),
    wall: event.has_wall ? 'yes' : 'no',
    brandMark: event.has_brand_mark ? 'yes' : 'no',
  }
}
