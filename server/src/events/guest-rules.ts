import { sql } from 'kysely'
import { findRow } from '../platform/db/rows.ts'
import { AppError } from '../platform/errors/app-error.ts'
import type { GuestRules } from '../selfies/parts.ts'
import type { GenerateForm } from '../selfies/receive-form.ts'
import { assertRunning, isQueueFull, placeOfGuest } from './event.ts'
import type { EventRow } from './event.ts'
import { lendSelfie } from './guest-credits.ts'
import type { EventParts } from './parts.ts'

/** What events let their guests do with selfies. */
export function createGuestRules({
  database,
  store,
  clock,
}: Pick<EventParts, 'clock' | 'database' | 'store'>): GuestRules {
  const readEvent = async (eventId: string) => (await findRow(database, 'events', { id: eventId }))!
  return {
    async admit({ userId, eventId }, form) {
      const event = await readEvent(eventId)
      assertRunning(event, clock())
      assertOffered(event, form)
      const { rows } = await sql<{ place: string }>`
        select ${placeOfGuest} as place from event_guests where user_id = ${userId}`.execute(
        database,
      )
      if (await isQueueFull(database, event, rows[0]?.place ?? ''))
        throw new AppError('event_queue_full')
      const isAtScene = form.fields.scene !== undefined
      const key = isAtScene ? null : event.background_key
      const background = key && (await store.get(key))
      if (!isAtScene && !background) throw new AppError('event_choice_unknown')
      // Last of all, so that who is refused takes nothing out of the budget.
      await lendSelfie({ database, clock }, event, userId)
      return background ? { ...form, background: Buffer.from(background) } : form
    },
    async admitScene({ eventId }, scene) {
      const event = await readEvent(eventId)
      const isBackground = scene === 'own' && event.background_key !== null
      if (!isBackground && !event.scenes.includes(scene)) throw new AppError('event_choice_unknown')
    },
    async wishesFor(generationId) {
      const { rows } = await sql<Pick<EventRow, 'frame_key' | 'print_formats'>>`
        select frame_key, print_formats
        from generations join event_guests using (user_id) join events on events.id = event_id
        where generations.id = ${generationId}
          and generations.created_at < coalesce(kept_at, 'infinity')`.execute(database)
      if (rows[0] === undefined) return {}
      const { frame_key: frameKey, print_formats: prints } = rows[0]
      const overlay = frameKey === null ? undefined : await store.get(frameKey)
      return { keepsAspect: frameKey !== null || prints.length > 0, overlay }
    },
  }
}

/** Stars and scenes of the event alone: no photos of others, no places, no words of one's own. */
function assertOffered(event: EventRow, form: GenerateForm): void {
  const { fields, secondStar } = form
  const stars = [fields.presetId, ...(secondStar === undefined ? [] : [secondStar.presetId])]
  const isOffered =
    stars.every((star) => star !== undefined && event.star_ids.includes(star)) &&
    (fields.scene === undefined || event.scenes.includes(fields.scene)) &&
    form.background === undefined &&
    fields.prompt === undefined
  if (!isOffered) throw new AppError('event_choice_unknown')
}
