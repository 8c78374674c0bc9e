import { sql } from 'kysely'
import type { AdmittedPhoto, Selfie } from '@starside/engine/engine-calls.ts'
import type { PictureFingerprint } from '@starside/engine/photo/fingerprint-distance.ts'
import type { PhotoRole } from '@starside/engine/photo/photo-error.ts'
import type { Queryable } from '../platform/db/database.ts'
import { insertRow, findRows } from '../platform/db/rows.ts'
import { AppError } from '../platform/errors/app-error.ts'
import type { PlatformParts } from '../platform/parts.ts'
import { findBlockedPicture, hashOfFile, toInt8 } from './blocked-pictures.ts'
import type { FindForbiddenWord } from './forbidden-words.ts'
import type { PictureClassifier } from './classifier-settings.ts'
import type { Insertable } from 'kysely'
import type { ModerationLogTable } from '../platform/db/tables.d.ts'

/**
 * Looks at what goes into a generation and comes out, and throws what it refuses; refusals are recorded
 * and cost no credit. A hosted provider's own comes as its error (`policy_refused`).
 */
export type Moderation = ReturnType<typeof createModeration>

interface ModerationParts extends Pick<PlatformParts, 'clock' | 'database' | 'log'> {
  findForbiddenWord: FindForbiddenWord
  classifier: PictureClassifier | undefined
}

/** Words, removed pictures and, where there is one, the operator's classifier. */
export function createModeration(parts: ModerationParts) {
  const { database, classifier } = parts

  async function refuse(
    act: ModerationAct,
    step: { user_id: string; generation_id?: string; detail: string },
    error: AppError,
  ): Promise<never> {
    await logModeration(database, { at: parts.clock(), actor: 'system', act, ...step })
    throw error
  }

  async function findBlocked(...picture: [fingerprint: PictureFingerprint, fileHash?: string]) {
    const blocked = await findBlockedPicture(database, ...picture)
    return blocked && `like the removed ${blocked}`
  }

  return {
    /** The outside service that photos are sent to for judging; undefined: they stay here. */
    sendsPhotosTo: classifier?.sendsPhotosTo,

    /** The person's words, before anything else is done. Throws `prompt_refused`. */
    async judgePrompt(prompt: string | undefined, user_id: string): Promise<void> {
      const word = prompt === undefined ? undefined : parts.findForbiddenWord(prompt)
      if (word === undefined) return
      const step = { user_id, detail: `word: ${word}` }
      await refuse('prompt refused', step, new AppError('prompt_refused'))
    },

    /**
     * An uploaded photo, before a credit is held. Answers what it is known by: a background by its file, any
     * other by its perceptual hash. Throws `photo_blocked` or `picture_refused`, with the photo that it is about.
     */
    async judgePhoto(
      {
        photo,
        fingerprint,
        file,
      }: Pick<AdmittedPhoto, 'photo' | 'fingerprint'> & { file: Uint8Array },
      about: { userId: string; role: PhotoRole; signal: AbortSignal },
    ): Promise<string> {
      const { userId: user_id, role, signal } = about
      const fileHash = hashOfFile(file)
      const blocked = await findBlocked(fingerprint, fileHash)
      if (blocked !== undefined) {
        const step = { user_id, detail: blocked }
        await refuse('photo blocked', step, new AppError('photo_blocked', { photo: role }))
      }
      const detail = await classify(parts, photo.bytes, { kind: 'photo', signal })
      if (detail !== undefined) {
        const error = new AppError('picture_refused', { photo: role })
        await refuse('picture refused', { user_id, detail }, error)
      }
      return role === 'background' ? fileHash : toInt8(fingerprint.upright)
    },

    /**
     * A finished picture, before it is stored and its credit captured. Answers its perceptual hash. Throws
     * `picture_refused`.
     */
    async judgeResult(
      { clean, fingerprint }: Pick<Selfie, 'clean' | 'fingerprint'>,
      about: { userId: string; generationId: string; signal: AbortSignal },
    ): Promise<string> {
      const { userId: user_id, generationId: generation_id, signal } = about
      const detail =
        (await findBlocked(fingerprint)) ??
        (await classify(parts, clean, { kind: 'result', signal }))
      if (detail !== undefined) {
        const step = { user_id, generation_id, detail }
        await refuse('picture refused', step, new AppError('picture_refused'))
      }
      return toInt8(fingerprint.upright)
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
    options.signal.throwIfAborted()
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

/** Adds a step to the unchangeable record; details hold no name, no address and no prompt. */
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
