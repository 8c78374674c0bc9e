import type { Translated } from '@starside/contract/languages.ts'
import type { LegalPageName } from '@starside/contract/legal-pages.ts'
import { sql } from 'kysely'
import { z } from 'zod'
import { inTransaction } from '../../platform/db/database.ts'
import type { Database } from '../../platform/db/database.ts'
import { deleteRows, findRow, findRows } from '../../platform/db/rows.ts'
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

type Editor = { operatorName: string; now: Date }

/** Keeps a draft of a page, in the place of the one before. */
export async function saveDraft(
  database: Database,
  { page, texts, operatorName, now }: Editor & { page: LegalPageName; texts: Translated<string> },
): Promise<void> {
  const draft = { texts: JSON.stringify(texts), saved_at: now, saved_by: operatorName }
  await database
    .insertInto('legal_page_versions')
    .values({ page, ...draft })
    .onConflict((conflict) =>
      conflict.column('page').where('published_at', 'is', null).doUpdateSet(draft),
    )
    .execute()
}

export function findDraft(database: Database, page: LegalPageName) {
  return findRow(database, 'legal_page_versions', { page, published_at: null })
}

export async function discardDraft(database: Database, page: LegalPageName): Promise<boolean> {
  return (await deleteRows(database, 'legal_page_versions', { page, published_at: null })) > 0
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
    const day = now.toISOString().slice(0, 10)
    // A number of its own, so that versions have the order in which they were published.
    const { rows } = await sql<{ version: string }>`
      with draft as (
        delete from legal_page_versions where page = ${page} and published_at is null
        returning texts, saved_at,
          nextval(pg_get_serial_sequence('legal_page_versions', 'id')) as next_id
      )
      insert into legal_page_versions
        (id, page, texts, saved_at, saved_by, version, published_at, asks_again)
      overriding system value
      select next_id, ${page}, texts, saved_at, ${operatorName}, ${day} || '.' || next_id,
        ${now}::timestamptz, ${page === 'terms' && asksAgain}::boolean
      from draft
      returning version`.execute(transaction)
    await publishAtCommit(transaction, legalTopic)
    return rows[0]?.version
  })
}

export function listVersions(database: Database, page: LegalPageName) {
  return findRows(
    database,
    'legal_page_versions',
    sql`page = ${page} and published_at is not null order by id desc limit 100`,
  )
}
