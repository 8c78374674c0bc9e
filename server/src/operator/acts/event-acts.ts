import { eventRolePages, eventRoles } from '@starside/contract/event-formats.ts'
import { creditsText } from '@starside/contract/fill.ts'
import { uploadBytesMax } from '@starside/contract/limits.ts'
import { z } from 'zod'
import { makeLink } from '../../events/event-links.ts'
import { eventRules, fieldsOf } from '../../events/event-rules.ts'
import type { EventRules } from '../../events/event-rules.ts'
import { eventUrl, findEventOfOperator, stateOf } from '../../events/event.ts'
import { createEvent, editEvent, fillBudget } from '../../events/save-event.ts'
import { inTransaction } from '../../platform/db/database.ts'
import { deleteRows, updateRows } from '../../platform/db/rows.ts'
import { isUuid } from '../../platform/db/uuid.ts'
import { defineAct, fieldsToChange, reasonSchema } from '../act.ts'
import type { ActOutcome, ActParts } from '../act.ts'
import { checkFields, seeMarkedFields, wholeNumber } from '../check-fields.ts'

const id = z.string('Say which event.').min(1, 'Say which event.').max(60)
const unknownEvent = { refused: 'There is no such event.' }
const budgetMax = 100_000
const taken = {
  refused: 'Nothing was changed.',
  problems: { name: 'Another event has this address.' },
}

export const createEventAct = defineAct('event create', {
  fileBytesMax: uploadBytesMax,
  schema: z.intersection(
    z.object({ budget: wholeNumber.pipe(z.number().min(0).max(budgetMax)).default(0) }),
    eventRules,
  ),
  async run(parts, { budget, ...given }, files) {
    return save(parts, given, async (rules) => {
      const made = { uploads: files, budget, createdBy: parts.operatorName }
      const event = await createEvent(parts, rules, made)
      if (event === undefined) return taken
      return {
        done: `${rules.title} is at ${eventUrl(parts.config, rules)}.`,
        to: `/admin/events/${event}`,
        log: { subject: event, after: { ...rules, budget } },
      }
    })
  },
})

export const editEventAct = defineAct('event edit', {
  fileBytesMax: uploadBytesMax,
  moreFields: fieldsToChange(createEventAct, ['budget']),
  schema: z.looseObject({ id }),
  async run(parts, { id: named, ...given }, files) {
    const event = await findEventOfOperator(parts.database, named)
    if (event === undefined || event.deleted_at !== null) return unknownEvent
    const before = fieldsOf(event)
    const checked = checkFields(eventRules, { ...before, ...given })
    if ('refused' in checked) return checked
    return save(parts, checked.input, async (rules) => {
      if (!(await editEvent(parts, event, { rules, uploads: files }))) return taken
      return {
        done: `${rules.title} is changed.`,
        log: { subject: event.id, before, after: rules },
      }
    })
  },
})

export const fillEventBudget = defineAct('event budget', {
  schema: z.object({
    id,
    credits: wholeNumber
      .pipe(z.number().min(-budgetMax).max(budgetMax))
      .refine((credits) => credits !== 0, 'More than zero, or less.'),
    reason: reasonSchema,
    once: z.uuid().default(() => crypto.randomUUID()),
  }),
  async run({ database, clock }, { id: named, credits, once }) {
    const event = await findEventOfOperator(database, named)
    if (event === undefined || event.deleted_at !== null) return unknownEvent
    const moved = await inTransaction(database, (transaction) =>
      fillBudget(transaction, event, { credits, reference: `operator:${once}`, now: clock() }),
    )
    return {
      done: `${creditsText(Math.abs(moved))} ${(moved || credits) > 0 ? 'given to' : 'taken from'} the budget.`,
      isPartial: moved !== credits,
      log: { subject: event.id, after: moved },
    }
  },
})

export const makeEventLink = defineAct('event link', {
  schema: z.object({ id, role: z.enum(eventRoles, 'Say for whom.') }),
  async run(parts, { id: named, role }) {
    const event = await findEventOfOperator(parts.database, named)
    if (event === undefined || event.deleted_at !== null) return unknownEvent
    const link = { eventId: event.id, role, madeBy: parts.operatorName }
    const key = await makeLink(parts, link)
    return {
      done: `A link for a ${role}.`,
      shownOnce: {
        text: `${eventUrl(parts.config, event)}/${eventRolePages[role]}#key=${key}`,
        note: 'It opens one browser, once, and is shown only now.',
        isScanned: true,
      },
      log: { subject: event.id, after: role },
    }
  },
})

export const withdrawEventLink = defineAct('event withdraw', {
  schema: z.object({ id, link: z.string('Say which link.').refine(isUuid, 'Say which link.') }),
  async run({ database }, { id: named, link }) {
    const event = await findEventOfOperator(database, named)
    const match = { event_id: event?.id ?? '', id: link }
    if (event === undefined || (await deleteRows(database, 'event_links', match)) === 0) {
      return { refused: 'There is no such link.' }
    }
    return { done: 'The link no longer works.', log: { subject: event.id } }
  },
})

export const endEvent = defineAct('event end', {
  schema: z.object({ id, reason: reasonSchema }),
  async run({ database, clock }, { id: named }) {
    const event = await findEventOfOperator(database, named)
    const now = clock()
    if (event === undefined || stateOf(event, now) !== 'running') {
      return { refused: 'No such event is running.' }
    }
    await updateRows(database, 'events', { match: { id: event.id }, set: { ends_at: now } })
    return { done: `${event.title} is over.`, log: { subject: event.id, before: event.ends_at } }
  },
})

/** Checks that an event's stars are offered before it is saved. */
async function save(
  parts: ActParts,
  rules: EventRules,
  write: (rules: EventRules) => Promise<ActOutcome>,
): Promise<ActOutcome> {
  const offered = (await parts.listStars()).filter(({ isHidden }) => !isHidden)
  const ids = offered.map((star) => star.id)
  const unknown = rules.stars.find((star) => !ids.includes(star))
  if (unknown !== undefined) {
    const problems = { stars: `There is no star '${unknown}' on offer.` }
    return { refused: seeMarkedFields, problems }
  }
  const stars = rules.stars.length === 0 ? ids : rules.stars
  return await write({ ...rules, stars })
}
