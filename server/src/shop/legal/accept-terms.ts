import type { Database } from '../../platform/db/database.ts'
import { AppError } from '../../platform/errors/app-error.ts'
import type { LegalTexts } from './legal-texts.ts'

/**
 * Writes down that somebody agrees to the terms of a version, and when. Throws `terms_outdated` for
 * another version than the one that holds.
 */
export async function acceptTerms(
  { database, legalTexts }: { database: Database; legalTexts: Pick<LegalTexts, 'version'> },
  { userId, version, now }: { userId: string; version: string; now: Date },
): Promise<void> {
  if (version !== legalTexts.version('terms')) throw new AppError('terms_outdated')
  await database
    .updateTable('users')
    .set({ terms_version: version, terms_at: now })
    .where('id', '=', userId)
    .execute()
}
