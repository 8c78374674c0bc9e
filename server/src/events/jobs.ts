import { deleteEndedEvents } from './delete-event.ts'
import { returnCredits } from './guest-credits.ts'
import type { EventParts } from './parts.ts'

/** Gives credits back whose time is over, and deletes what ended events have of their guests. */
export async function workOnEvents(parts: EventParts): Promise<void> {
  await parts.jobs.schedule('return-event-credits', '* * * * *', (signal) =>
    returnCredits(parts, signal),
  )
  await parts.jobs.schedule('delete-ended-events', '7,37 * * * *', (signal) =>
    deleteEndedEvents(parts, signal),
  )
}
