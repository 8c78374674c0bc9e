import { sql } from 'kysely'
import type { PictureFingerprint } from '@starside/engine/photo/fingerprint-distance.ts'
import type { Database, Queryable } from '../platform/db/database.ts'
import { insertRow, findRows } from '../platform/db/rows.ts'
import type { Logger } from '../platform/logging/logger.ts'
import { findBlockedPicture } from './blocked-pictures.ts'
import type { FindForbiddenWord } from './forbidden-words.ts'
import type { PictureClassifier } from './classifier-settings.ts'
import type { Insertable } from 'kysely'
import type { ModerationLogTable } from '../platform/db/tables.d.ts'

/** Why something was refused; a code of the contract's table. */
export type ModerationCode = 'prompt_refused' | 'photo_blocked' | 'picture_refused'

/** A person's photo or a result that is judged, upright. */
export interface JudgedPicture {
  bytes: Uint8Array
  fingerprint: PictureFingerprint
}

/**
 * Looks at what goes into a generation and at what comes out. Every refusal is written into the
 * record and costs nobody a credit. What a hosted provider itself refuses comes as an error of its
 * own (`policy_refused`) and ends the same way.
 */
export type Moderation = ReturnType<typeof createModeration>

interface ModerationParts {
  database: Database
  clock: () => Date
  log: Logger
  findForbiddenWord: FindForbiddenWord
  classifier: PictureClassifier | undefined
}

/** Words, removed pictures and, where there is one, the operator's classifier. */
export function createModeration(parts: ModerationParts) {
  const { database, classifier } = parts

  async function refuse(
    code: ModerationCode,
    act: ModerationAct,
    step: { user_id: string; generation_id?: string; detail: string },
  ): Promise<ModerationCode> {
    await logModeration(database, { at: parts.clock(), actor: 'system', act, ...step })
    return code
  }

  async function findBlocked(...picture: [fingerprint: PictureFingerprint, fileHash?: string]) {
    const blocked = await findBlockedPicture(database, ...picture)
    return blocked && `like the removed ${blocked}`
  }

  return {
    /** The outside service that photos are sent to for judging; undefined: they stay here. */
    sendsPhotosTo: classifier?.sendsPhotosTo,

    /** The person's words, before anything else is done. */
    async judgePrompt(prompt: string | undefined, user_id: string) {
      const word = prompt === undefined ? undefined : parts.findForbiddenWord(prompt)
      if (word === undefined) return undefined
      return refuse('prompt_refused', 'prompt refused', { user_id, detail: `word: ${word}` })
    },

    /** An uploaded photo, before a credit is held, with what its file is known by. */
    async judgePhoto(
      { bytes, fingerprint, fileHash }: JudgedPicture & { fileHash: string },
      { userId: user_id, signal }: { userId: string; signal: AbortSignal },
    ) {
      const blocked = await findBlocked(fingerprint, fileHash)
      if (blocked !== undefined) {
        return refuse('photo_blocked', 'photo blocked', { user_id, detail: blocked })
      }
      const detail = await classify(parts, bytes, { kind: 'photo', signal })
      if (detail === undefined) return undefined
      return refuse('picture_refused', 'picture refused', { user_id, detail })
    },

    /** A finished picture, before it is stored and its credit captured. */
    async judgeResult(
      { bytes, fingerprint }: JudgedPicture,
      about: { userId: string; generationId: string; signal: AbortSignal },
    ) {
      const { userId: user_id, generationId: generation_id, signal } = about
      const detail =
        (await findBlocked(fingerprint)) ??
        (await classify(parts, bytes, { kind: 'result', signal }))
      if (detail === undefined) return undefined
      return refuse('picture_refused', 'picture refused', { user_id, generation_id, detail })
    },
  }
}

/** Why the classifier refuses a picture; undefined where it does not, or where there is none. */
async function classify(
  { classifier, log }: ModerationParts,
  bytes: Uint8Array,
  options: { kind: 'photo' | 'result'; signal: AbortSignal },
): Promise<string | undefined> {
  try {
    const reason = await classifier?.judge(bytes, options)
    return reason === undefined ? undefined : `${classifier?.name}: ${reason}`.slice(0, 300)
  } catch (error) {
    // A broken classifier must not stop the product; the operator sees it in the log.
    log.error({ err: error }, 'the picture classifier failed')
    return undefined
  }
}

/** What can be written into the record of moderation. */
type ModerationAct =
  | 'report filed'
  | 'report resolved'
  | 'picture removed'
  | 'account suspended'
  | 'account unsuspended'
  | 'prompt refused'
  | 'photo blocked'
  | 'picture refused'

/**
 * Adds a step to the record, which the database never lets anybody change. Its detail says why, in words of
 * the operator or the rule; never a name, an address or a prompt.
 */
export async function logModeration(
  database: Queryable,
  step: Insertable<ModerationLogTable> & { act: ModerationAct },
): Promise<void> {
  await insertRow(database, 'moderation_log', step)
}

/** The steps about a picture, a person or a report, oldest first. */
export function readModerationLog(
  database: Queryable,
  about: { generationId?: string | undefined; userId?: string | undefined; reportId?: string },
) {
  const { generationId = null, userId = null, reportId = null } = about
  return findRows(
    database,
    'moderation_log',
    sql`generation_id = ${generationId} or user_id = ${userId} or report_id = ${reportId}
      order by id limit 1000`,
  )
}
