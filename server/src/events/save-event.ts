import { keysOf } from '@starside/contract/keys-of.ts'
import { PhotoError } from '@starside/engine/photo/photo-error.ts'
import type { Engine } from '@starside/engine/engine-calls.ts'
import {
  moveEventCredits,
  openEventAccount,
  readEventsAccount,
} from '../ledger/credits/move-credits.ts'
import { inTransaction } from '../platform/db/database.ts'
import type { Transaction } from '../platform/db/database.ts'
import { findRow, insertRow, updateRows } from '../platform/db/rows.ts'
import { violatedConstraint } from '../platform/db/postgres-errors.ts'
import type { PlatformParts } from '../platform/parts.ts'
import { columnsOf } from './event-rules.ts'
import type { EventRules } from './event-rules.ts'
import { eventPictures } from './event.ts'
import type { EventPicture, EventRow } from './event.ts'

interface SaveParts extends Pick<PlatformParts, 'clock' | 'database'> {
  engine: Pick<Engine, 'admit' | 'makeLogo'>
  store(): Promise<Pick<PlatformParts['store'], 'delete' | 'put'>>
}

/** New pictures of an event; one that is missing stays as it is. */
export type EventUploads = Partial<Record<EventPicture, Uint8Array>>

/** A print of 15 centimetres at 300 dpi. */
const frameSize = { widthPxMax: 1_772, heightPxMax: 1_772 }
/** Where a PNG says how its pixels are (ISO/IEC 15948, section 11.2.2), and RGBA there. */
const colourTypeAt = 25
const withAlpha = 6

/** Answers the event's id; undefined: address taken; PhotoError: background or frame unusable. */
export async function createEvent(
  parts: SaveParts,
  rules: EventRules,
  { uploads, budget, createdBy }: { uploads: EventUploads; budget: number; createdBy: string },
): Promise<string | undefined> {
  const id = crypto.randomUUID()
  const now = parts.clock()
  return withPictures(parts, id, uploads, (keys) =>
    inTransaction(parts.database, async (transaction) => {
      const accountId = await openEventAccount(transaction)
      const made = { id, account_id: accountId, created_at: now, created_by: createdBy }
      const event = await insertRow(transaction, 'events', {
        ...columnsOf(rules),
        ...keys,
        ...made,
      })
      const filled = { credits: budget, reference: `event-budget:${id}`, now }
      if (budget > 0) await fillBudget(transaction, event, filled)
      return id
    }),
  )
}

/** Changes an event; false when another has its address, or its guests' data is deleted. */
export async function editEvent(
  parts: SaveParts,
  event: EventRow,
  { rules, uploads }: { rules: EventRules; uploads: EventUploads },
): Promise<boolean> {
  const isEdited = await withPictures(parts, event.id, uploads, async (keys) => {
    const match = { id: event.id, deleted_at: null }
    const set = { ...columnsOf(rules), ...keys }
    const edited = await updateRows(parts.database, 'events', { match, set })
    return edited.length > 0 || undefined
  })
  if (!isEdited) return false
  for (const picture of keysOf(eventPictures)) {
    const before = event[eventPictures[picture].column]
    if (uploads[picture] && before !== null) await (await parts.store()).delete(before)
  }
  return true
}

/** Moves credits in (below zero: out), as far as it goes, once per reference; answers how many. */
export async function fillBudget(
  transaction: Transaction,
  { account_id: budget, title }: Pick<EventRow, 'account_id' | 'title'>,
  { credits, reference, now }: { credits: number; reference: string; now: Date },
): Promise<number> {
  const system = await readEventsAccount(transaction)
  const [fromAccountId, toAccountId] = credits > 0 ? [system, budget] : [budget, system]
  await moveEventCredits(transaction, {
    fromAccountId,
    toAccountId,
    amount: Math.abs(credits),
    takesLess: true,
    description: title,
    reference,
    now,
  })
  const entry = await findRow(transaction, 'ledger_entries', { reference })
  const moved = entry?.amount ?? 0
  return entry?.debit_account_id === budget ? -moved : moved
}

/** Keeps uploads under keys of their own while `save` writes them down; undefined for a taken address, or where it wrote none down. */
async function withPictures<Result>(
  { engine, store: openStore }: SaveParts,
  eventId: string,
  uploads: EventUploads,
  save: (keys: { background_key?: string; frame_key?: string }) => Promise<Result | undefined>,
): Promise<Result | undefined> {
  const store = await openStore()
  const keys: Record<string, string> = {}
  const discard = () => Promise.allSettled(Object.values(keys).map((key) => store.delete(key)))
  try {
    for (const picture of keysOf(eventPictures)) {
      const [{ mediaType, column }, bytes] = [eventPictures[picture], uploads[picture]]
      if (bytes === undefined) continue
      // One of its own for each upload, so that no browser shows the picture before.
      const key = `events/${eventId}/${picture}-${crypto.randomUUID()}`
      await store.put(key, await readPicture(engine, picture, bytes), mediaType)
      keys[column] = key
    }
    const saved = await save(keys)
    if (saved === undefined) await discard()
    return saved
  } catch (error) {
    await discard()
    if (violatedConstraint(error) === 'events_name_unique') return undefined
    throw error
  }
}

/** The upload as it is kept: upright, bare of metadata. Throws PhotoError. */
async function readPicture(engine: SaveParts['engine'], name: EventPicture, bytes: Uint8Array) {
  if (name === 'frame') {
    const { png } = await engine.makeLogo({ bytes, ...frameSize })
    // Without see-through parts it would hide the picture.
    if (png[colourTypeAt] !== withAlpha) throw new PhotoError('photo_format')
    return png
  }
  const { photo, inspection } = await engine.admit({ bytes, isBackground: true })
  const [refusal] = inspection.refusals
  if (refusal !== undefined) throw new PhotoError(refusal)
  return photo.bytes
}
