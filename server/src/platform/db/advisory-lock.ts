import { hash } from 'node:crypto'
import { sql } from 'kysely'
import type { Transaction } from './database.ts'

/**
 * Waits until no other transaction holds a lock on one of these texts, and holds them all until this
 * one ends. All take them in one order, so no two wait for each other.
 */
export async function lockTexts(transaction: Transaction, texts: readonly string[]): Promise<void> {
  const keys = texts
    .map((text) => hash('sha256', text, 'buffer').readBigInt64BE())
    .toSorted((a, b) => (a < b ? -1 : 1))
  for (const key of keys) {
    await sql`select pg_advisory_xact_lock(${String(key)}::bigint)`.execute(transaction)
  }
}
