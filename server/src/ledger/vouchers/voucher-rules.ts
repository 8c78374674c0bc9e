import { z } from 'zod'

const whole = (max: number) => z.coerce.number().int().min(1).max(max)
/** A day of a form, `2026-11-22`; an empty field is none. */
const day = z.preprocess((value) => (value === '' ? undefined : value), z.iso.date().optional())

/** A batch's rules; the database has the limits as constraints too. Days are UTC, both included. */
export const voucherRules = z
  .object({
    name: z.string().trim().min(1).max(80).describe('What it is for; only operators read it.'),
    credits: whole(10_000).describe('Credits of one redemption.'),
    usesMax: whole(1_000_000).default(1).describe('How often each code may be redeemed.'),
    personUsesMax: whole(1_000).default(1).describe('How often one person may redeem this batch.'),
    codes: whole(1_000).default(1).describe('How many codes are made.'),
    from: day.describe('First day, UTC.'),
    to: day.describe('Last day, UTC.'),
  })
  .transform(({ from, to, ...rules }) => ({
    ...rules,
    startsAt: from === undefined ? undefined : new Date(`${from}T00:00:00Z`),
    endsAt: to === undefined ? undefined : new Date(Date.parse(`${to}T00:00:00Z`) + dayMs),
  }))
  .refine(({ startsAt, endsAt }) => !startsAt || !endsAt || startsAt < endsAt, {
    path: ['to'],
    message: 'The last day must not lie before the first.',
  })
export type VoucherRules = z.output<typeof voucherRules>

const dayMs = 24 * 60 * 60_000
