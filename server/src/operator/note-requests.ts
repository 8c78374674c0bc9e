import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import type { RequestNotesTable } from '../platform/db/tables.d.ts'
import type { OperatorParts } from './parts.ts'
import type { Database } from '../platform/db/database.ts'
import { routeOf } from '../platform/metrics/observe-requests.ts'

type Note = RequestNotesTable

/** Notes that wait to be written at most: a flood of failures costs one statement a second. */
const waitingMax = 500
const writeAfterMs = 1_000
/** How long it is known whose request an id was, as long as logs are usually kept. */
const keptMs = 30 * 24 * 60 * 60_000
/** Calls of which operators are asked later, also where they went well. */
const begins = new Set(['POST /api/ai?action=generate', 'POST /api/orders'])

/**
 * Notes whose request an id was, for operators who are given an answer's `requestId`: calls that failed
 * for somebody signed in or by our fault, and those that begin a selfie or an order. Some may get lost.
 */
export function noteRequests(
  app: FastifyInstance,
  { database, clock, log }: Pick<OperatorParts, 'database' | 'clock' | 'log'>,
): void {
  let waiting: Note[] = []
  let timer: NodeJS.Timeout | undefined
  let writing: Promise<void> = Promise.resolve()
  const write = () => {
    timer = undefined
    const notes = waiting
    waiting = []
    writing = writeNotes(database, notes).catch((error: unknown) => {
      log.debug({ err: error }, 'notes of requests could not be written')
    })
  }
  app.addHook('onResponse', (request, reply, done) => {
    const call = `${request.method} ${routeOf(request)}`
    const status = reply.statusCode
    const isOurFault = status >= 500
    const isSomebodys = request.userId !== undefined && (status >= 400 || begins.has(call))
    if ((isOurFault || isSomebodys) && waiting.length < waitingMax) {
      const code = request.failureCode ?? null
      const user_id = request.userId ?? null
      waiting.push({ request_id: request.id, at: clock(), user_id, call, status, code })
      timer ??= setTimeout(write, writeAfterMs).unref()
    }
    done()
  })
  app.addHook('onClose', async () => {
    clearTimeout(timer)
    if (waiting.length > 0) write()
    await writing
  })
}

/** Somebody who deleted their account meanwhile is left out. */
async function writeNotes(database: Database, notes: readonly Note[]): Promise<void> {
  await sql`
    insert into request_notes (request_id, at, user_id, call, status, code)
    select note.request_id, note.at, users.id, note.call, note.status, note.code
    from jsonb_to_recordset(${JSON.stringify(notes)}::jsonb) as note (
      request_id uuid, at timestamptz, user_id uuid, call text, status smallint, code text
    )
    left join users on users.id = note.user_id
    on conflict do nothing
  `.execute(database)
}

export async function deleteOldRequestNotes(database: Database, now: Date): Promise<void> {
  const before = new Date(now.getTime() - keptMs)
  await database.deleteFrom('request_notes').where('at', '<', before).execute()
}
