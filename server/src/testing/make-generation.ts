import type { Insertable } from 'kysely'
import { placeHold } from '../ledger/credits/hold.ts'
import type { Database } from '../platform/db/database.ts'
import type { GenerationsTable, Tables } from '../platform/db/tables.d.ts'
import type { AttemptRow } from '../selfies/providers/attempts.ts'
import { makeUser } from './make-user.ts'

/** A generation written straight into the database, with its owner and its hold. */
export interface TestGeneration {
  generationId: string
  userId: string
  holdId: string
}

interface GenerationOptions {
  /** Whose it is; somebody new with one credit where nobody is named. */
  userId?: string
  /** When it was begun and its hold placed. */
  at?: Date
  /** What differs from a running generation of Elena Vassandri that has no photos. */
  row?: Partial<Insertable<GenerationsTable>>
}

let made = 0

/** A running generation that is paid by an open hold of 15 minutes. */
export function makeGeneration(
  database: Database,
  options: GenerationOptions = {},
): Promise<TestGeneration> {
  return insert(database, crypto.randomUUID(), options)
}

/** A finished generation; its hold is left as it is. */
export function makeDoneGeneration(
  database: Database,
  options: GenerationOptions = {},
): Promise<TestGeneration> {
  const generationId = crypto.randomUUID()
  const row = { ...doneRow(generationId, options.at), ...options.row }
  return insert(database, generationId, { ...options, row })
}

async function insert(
  database: Database,
  generationId: string,
  { userId, at = new Date(), row = {} }: GenerationOptions,
): Promise<TestGeneration> {
  made += 1
  const owner = userId ?? (await makeUser(database, 1))
  const hold = await placeHold(database, {
    userId: owner,
    amount: 1,
    description: 'Photo generation with Elena Vassandri',
    reference: `test generation ${made} ${generationId}`,
    attachedTo: `generation:${generationId}`,
    now: at,
  })
  if (hold.outcome !== 'held') throw new Error(`no hold: ${hold.outcome}`)
  await database
    .insertInto('generations')
    .values({
      id: generationId,
      user_id: owner,
      hold_id: hold.holdId,
      request_digest: Buffer.alloc(32),
      celebrity: 'Elena Vassandri',
      preset_id: 'elena-vassandri',
      aspect: '4:5',
      resolution: 'standard',
      created_at: at,
      ...row,
    })
    .execute()
  return { generationId, userId: owner, holdId: hold.holdId }
}

/** What makes a row of a generation one that is done. */
export function doneRow(generationId: string, at = new Date()) {
  const key = (name: string) => `pictures/${generationId}/1-${name}.jpg`
  return {
    state: 'done',
    stage: 'done',
    clean_key: key('clean'),
    watermarked_key: key('watermarked'),
    clean_thumbnail_key: key('clean-thumbnail'),
    watermarked_thumbnail_key: key('watermarked-thumbnail'),
    width_px: 1024,
    height_px: 1280,
    finished_at: at,
  } as const
}

/** An attempt of a generation at fal: one that waits for a slot, where `row` says nothing else. */
export async function makeAttempt(
  database: Database,
  { generationId, userId }: TestGeneration,
  row: Partial<Insertable<Tables['generation_attempts']>> = {},
): Promise<AttemptRow> {
  const at = new Date()
  return database
    .insertInto('generation_attempts')
    .values({
      generation_id: generationId,
      user_id: userId,
      chain_position: 0,
      provider: 'fal',
      model: 'google/nano-banana-2.1/edit',
      prompt_version: 'test',
      created_at: at,
      next_look_at: at,
      deadline_at: new Date(at.getTime() + 60_000),
      ...row,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
}
