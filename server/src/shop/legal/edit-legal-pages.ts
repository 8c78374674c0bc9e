import type { Translated } from '@starside/contract/languages.ts'
import type { LegalPageName } from '@starside/contract/legal-pages.ts'
import { z } from 'zod'
import { inTransaction } from '../../platform/db/database.ts'
import type { Database } from '../../platform/db/database.ts'
import { publishAtCommit } from '../../platform/db/notifications.ts'
import { legalTopic } from './legal-texts.ts'

const textLengthMax = 60_000

export const legalTextInput = z
  .string()
  .trim()
  .min(1, 'A text is needed.')
  .max(textLengthMax, 'The text is too long.')
  // Each further quote within a quote makes the parser read all of the text once more.
  .refine((text) => !/^(?:[ \t]*>){9}/m.test(text), 'Quotes may be nested eight deep.')

interface Editor {
  operatorName: string
  now: Date
}

/** Keeps a draft of a page, in the place of the one before. */
export async function saveDraft(
  database: Database,
  { page, texts, operatorName, now }: Editor & { page: LegalPageName; texts: Translated<string> },
): Promise<void> {
  await inTransaction(database, async (transaction) => {
    const draft = { texts: JSON.stringify(texts), saved_at: now, saved_by: operatorName }
    const kept = await transaction
      .updateTable('legal_page_versions')
      .set(draft)
      .where('page', '=', page)
      .where('published_at', 'is', null)
      .returning('id')
      .executeTakeFirst()
    if (kept !== undefined) return
    await transaction
      .insertInto('legal_page_versions')
      .values({ page, ...draft })
      .onConflict((conflict) =>
        conflict.column('page').where('published_at', 'is', null).doUpdateSet(draft),
      )
      .execute()
  })
}

export function findDraft(database: Database, page: LegalPageName) {
  return database
    .selectFrom('legal_page_versions')
    .selectAll()
    .where('page', '=', page)
    .where('published_at', 'is', null)
    .executeTakeFirst()
}

export async function discardDraft(database: Database, page: LegalPageName): Promise<boolean> {
  const gone = await database
    .deleteFrom('legal_page_versions')
    .where('page', '=', page)
    .where('published_at', 'is', null)
    .returning('id')
    .executeTakeFirst()
  return gone !== undefined
}

/**
 * Publishes the draft of a page and tells all nodes; answers its version, or undefined where there is
 * no draft. A version is the day with the row's number, such as `2026-11-22.7`.
 * @param asksAgain whether people who agreed to earlier terms are asked; of other pages, nothing
 */
export async function publishDraft(
  database: Database,
  { page, asksAgain, operatorName, now }: Editor & { page: LegalPageName; asksAgain: boolean },
): Promise<string | undefined> {
  return inTransaction(database, async (transaction) => {
    const draft = await transaction
      .selectFrom('legal_page_versions')
      .selectAll()
      .where('page', '=', page)
      .where('published_at', 'is', null)
      .forUpdate()
      .executeTakeFirst()
    if (draft === undefined) return undefined
    await transaction.deleteFrom('legal_page_versions').where('id', '=', draft.id).execute()
    // A number of its own, so that versions have the order in which they were published.
    const { id } = await transaction
      .insertInto('legal_page_versions')
      .values({
        page,
        texts: JSON.stringify(draft.texts),
        saved_at: draft.saved_at,
        saved_by: draft.saved_by,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    const version = `${now.toISOString().slice(0, 10)}.${id}`
    await transaction
      .updateTable('legal_page_versions')
      .set({
        version,
        published_at: now,
        asks_again: page === 'terms' && asksAgain,
        saved_by: operatorName,
      })
      .where('id', '=', id)
      .execute()
    await publishAtCommit(transaction, legalTopic)
    return version
  })
}

export function listVersions(database: Database, page: LegalPageName) {
  return database
    .selectFrom('legal_page_versions')
    .select(['id', 'version', 'texts', 'asks_again', 'saved_by', 'published_at'])
    .where('page', '=', page)
    .where('published_at', 'is not', null)
    .orderBy('id', 'desc')
    .limit(100)
    .execute()
}
