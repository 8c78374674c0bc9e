import { randomBytes } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { cp, mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, type APIRequestContext } from '@playwright/test'
import { sql } from 'kysely'
import { lendSelfie } from '../server/src/events/guest-credits.ts'
import { captureHold } from '../server/src/ledger/credits/close-hold.ts'
import { placeHold } from '../server/src/ledger/credits/hold.ts'
import { inTransaction, openDatabase } from '../server/src/platform/db/database.ts'
import type { Database, Transaction } from '../server/src/platform/db/database.ts'
import { findRow } from '../server/src/platform/db/rows.ts'
import { openExistingDatabase } from '../server/src/platform/db/start-database.ts'
import { seal, unseal } from '../server/src/platform/secrets/seal.ts'

/** Whose selfie the engine makes; everybody else's is a copy of it. */
const first = { username: 'first', email: 'first@example.com', password: 'secret-1' }
const ownPhoto = path.join(import.meta.dirname, '..', 'server', 'people', 'face-1', 'picture.jpg')

/**
 * Gives somebody a finished selfie with Elena Vassandri for a credit, with its versions and layers: for
 * stories that need a picture and not its making. The engine makes one, whose rows and files are copied.
 *
 * @returns the id of its generation
 */
export async function giveSelfie(
  request: APIRequestContext,
  owner: { email: string },
): Promise<string> {
  await beginFirstSelfie(request)
  return withDatabase(async (database, dataFolder) => {
    const objects = path.join(dataFolder, 'objects')
    const original = await findFirstSelfie(database)
    const copy = crypto.randomUUID()
    await cp(path.join(objects, 'variations', original), path.join(objects, 'variations', copy), {
      recursive: true,
    })
    await copyLayers(database, objects, { original, copy })
    await lendToGuest(database, owner.email)
    await inTransaction(database, (transaction) =>
      copyRows(transaction, { original, copy, email: owner.email }),
    )
    return copy
  })
}

/** A guest's credit comes out of their event's budget when a selfie is wanted. */
async function lendToGuest(database: Database, email: string): Promise<void> {
  const user = await findRow(database, 'users', { email })
  if (!user?.guest_of) return
  const event = await findRow(database, 'events', { id: user.guest_of })
  if (event) await lendSelfie({ database, clock: () => new Date() }, event, user.id)
}

/** Does something with the database of the running program. */
export async function withDatabase<Result>(
  act: (database: Database, dataFolder: string) => Promise<Result>,
): Promise<Result> {
  const dataFolder = process.env['STORIES_DATA'] ?? ''
  const { url } = await openExistingDatabase(
    { databaseUrl: undefined, dataFolder },
    () => undefined,
  )
  const { database, close } = openDatabase({
    url,
    connectionsMax: 1,
    onError: (error) => {
      throw error
    },
  })
  try {
    return await act(database, dataFolder)
  } finally {
    await close()
  }
}

/** Whoever asks first registers its owner and has it made; everybody else is refused the address. */
async function beginFirstSelfie(request: APIRequestContext): Promise<void> {
  const registered = await request.post('/api/auth?action=register', { data: first })
  if (!registered.ok()) return
  const { token } = (await registered.json()) as { token: string }
  await request.post('/api/ai?action=generate', {
    headers: { authorization: `Bearer ${token}` },
    multipart: { userPhoto: createReadStream(ownPhoto), presetId: 'elena-vassandri' },
  })
}

/** Waits for the selfie that somebody has begun. */
async function findFirstSelfie(database: Database): Promise<string> {
  let id: string | undefined
  await expect(async () => {
    const row = await database
      .selectFrom('generations')
      .innerJoin('users', 'users.id', 'generations.user_id')
      .select('generations.id')
      .where('users.email', '=', first.email)
      .where('generations.state', '=', 'done')
      .executeTakeFirst()
    id = row?.id
    expect(id).toBeDefined()
  }).toPass()
  return id ?? ''
}

interface Copying {
  original: string
  copy: string
}

/** The layers are sealed for their generation. */
async function copyLayers(
  database: Database,
  objects: string,
  { original, copy }: Copying,
): Promise<void> {
  const { encryption_key: key } = await database
    .selectFrom('generation_layers')
    .select('encryption_key')
    .where('generation_id', '=', original)
    .executeTakeFirstOrThrow()
  const [from, to] = [original, copy].map((id) => path.join(objects, 'layers', id)) as [
    string,
    string,
  ]
  await mkdir(to)
  for (const name of await readdir(from)) {
    const opened = unseal(await readFile(path.join(from, name)), { key, subject: original })
    if (opened === undefined) throw new Error('The layers of the first selfie do not open')
    await writeFile(path.join(to, name), seal(opened, { key, subject: copy, randomBytes }))
  }
}

async function copyRows(
  transaction: Transaction,
  { original, copy, email }: Copying & { email: string },
): Promise<void> {
  const { id: userId } = await transaction
    .selectFrom('users')
    .select('id')
    .where('email', '=', email)
    .executeTakeFirstOrThrow()
  const now = new Date()
  const hold = await placeHold(transaction, {
    userId,
    amount: 1,
    description: 'Photo generation with Elena Vassandri',
    celebrity: 'Elena Vassandri',
    reference: `copy ${copy}`,
    attachedTo: `generation:${copy}`,
    now,
  })
  if (hold.outcome !== 'held') throw new Error(`The selfie cannot be paid: ${hold.outcome}`)
  await captureHold(transaction, { holdId: hold.holdId, now })
  const changes = {
    generations: { user_id: userId, hold_id: hold.holdId, created_at: now, finished_at: now },
    variations: {},
    generation_layers: {},
  }
  for (const [table, changed] of Object.entries(changes)) {
    const name = sql.table(table)
    const key = sql.ref(table === 'generations' ? 'id' : 'generation_id')
    const own =
      table === 'variations' ? sql`jsonb_build_object('id', gen_random_uuid())` : sql`'{}'`
    await sql`
      insert into ${name}
      select (jsonb_populate_record(null::${name},
        replace(to_jsonb(made)::text, ${original}, ${copy})::jsonb
          || ${JSON.stringify(changed)}::jsonb || ${own}::jsonb)).*
      from ${name} as made where ${key} = ${original}`.execute(transaction)
  }
}
