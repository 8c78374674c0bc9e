import { pipeline } from 'node:stream/promises'
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import pg from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import type { BackupSchema } from './archive-format.ts'
import { BackupError } from './archive-format.ts'
import type { ArchiveEntry } from './archive.ts'

const decompress = promisify(gunzip)

/** No piece of a table is larger before its compression; a row may begin in one and end in the next. */
const pieceBytesMax = 64 * 1024 * 1024

/**
 * Fills an empty, migrated database in one transaction, and notes the backup. Foreign keys and checks
 * hold; triggers don't run: what they did is in the rows. Entries that are no tables are passed over.
 */
export async function loadDatabase(
  client: pg.Client,
  entries: AsyncIterable<ArchiveEntry>,
  { schema, sha256 }: { schema: BackupSchema; sha256: string },
): Promise<void> {
  const tables = schema.tables.map(({ name }) => quoted(name))
  await client.query('begin')
  try {
    for (const table of tables) await client.query(`alter table ${table} disable trigger user`)
    await client.query(`truncate ${tables.join(', ')}`)
    await copyTables(client, entries, schema)
    // What waits for the commit is checked here: a table with checks to come can't be altered.
    await client.query('set constraints all immediate')
    for (const { name, lastValue } of schema.sequences) {
      await client.query('select setval($1::regclass, $2)', [quoted(name), lastValue])
    }
    for (const table of tables) await client.query(`alter table ${table} enable trigger user`)
    await client.query('create table restore_state (sha256 text primary key)')
    await client.query('create table restored_objects (key text primary key)')
    await client.query('insert into restore_state values ($1)', [sha256])
    await client.query('commit')
  } catch (error) {
    await client.query('rollback').catch(() => undefined)
    throw error
  }
  await client.query('analyze')
}

async function copyTables(
  client: pg.Client,
  entries: AsyncIterable<ArchiveEntry>,
  schema: BackupSchema,
): Promise<void> {
  const waiting = new Map(schema.tables.map((table) => [table.name, table]))
  const pieces = tablePieces(entries)
  let next = await pieces.next()
  while (!next.done) {
    const { name } = next.value
    const table = waiting.get(name)
    if (table === undefined) throw new BackupError(`The backup has the table ${name} twice.`)
    waiting.delete(name)
    const columns = table.columns.map((column) => pg.escapeIdentifier(column)).join(', ')
    const copy = client.query(copyFrom(`copy ${quoted(name)} (${columns}) from stdin`))
    await pipeline(async function* ofTable() {
      while (!next.done && next.value.name === name) {
        yield await decompress(next.value.content, { maxOutputLength: pieceBytesMax })
        next = await pieces.next()
      }
    }, copy)
    if (copy.rowCount !== table.rows) {
      throw new BackupError(`The backup holds other rows of ${name}.`)
    }
  }
  for (const { name, rows } of waiting.values()) {
    if (rows > 0) throw new BackupError(`The backup lacks the rows of ${name}.`)
  }
}

async function* tablePieces(entries: AsyncIterable<ArchiveEntry>) {
  for await (const { about, content } of entries) {
    if (about.kind === 'table') yield { name: about.of, content }
  }
}

function quoted(name: string): string {
  return `public.${pg.escapeIdentifier(name)}`
}
