import { once } from 'node:events'
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import pg from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import type { CopyStreamQuery } from 'pg-copy-streams'
import type { BackupSchema } from './archive-format.ts'
import { BackupError } from './archive-format.ts'
import type { ArchiveEntry } from './read-archive.ts'

const decompress = promisify(gunzip)

/** No piece of a table is larger before its compression; a row may begin in one and end in the next. */
const pieceBytesMax = 64 * 1024 * 1024

/**
 * Fills the tables of an empty, migrated database in one transaction, and notes which backup they
 * are of. Triggers are left aside: what they did is in the rows. Foreign keys and checks hold.
 *
 * @param entries of the backup; those that are no tables are passed over
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

/** A COPY under way, and why it failed once it has. */
interface OpenCopy {
  name: string
  rows: number
  copy: CopyStreamQuery
  failure?: Error
}

async function copyTables(
  client: pg.Client,
  entries: AsyncIterable<ArchiveEntry>,
  schema: BackupSchema,
): Promise<void> {
  const waiting = new Map(schema.tables.map((table) => [table.name, table]))
  let open: OpenCopy | undefined
  const end = async () => {
    if (open === undefined) return
    const { name, rows, copy, failure } = open
    if (failure !== undefined) throw failure
    copy.end()
    await once(copy, 'finish')
    open = undefined
    if (copy.rowCount !== rows) throw new BackupError(`The backup holds other rows of ${name}.`)
  }
  try {
    for await (const { about, content } of entries) {
      if (about.kind !== 'table') continue
      if (about.of !== open?.name) {
        await end()
        const table = waiting.get(about.of)
        if (table === undefined)
          throw new BackupError(`The backup has the table ${about.of} twice.`)
        waiting.delete(table.name)
        const columns = table.columns.map((column) => pg.escapeIdentifier(column)).join(', ')
        open = beginCopy(client, `copy ${quoted(table.name)} (${columns}) from stdin`, table)
      }
      await writeTo(open, await decompress(content, { maxOutputLength: pieceBytesMax }))
    }
    await end()
  } catch (error) {
    await abandon(open)
    throw error
  }
  for (const { name, rows } of waiting.values()) {
    if (rows > 0) throw new BackupError(`The backup lacks the rows of ${name}.`)
  }
}

function beginCopy(
  client: pg.Client,
  statement: string,
  { name, rows }: { name: string; rows: number },
): OpenCopy {
  const begun: OpenCopy = { name, rows, copy: client.query(copyFrom(statement)) }
  // It may fail while nothing is written to it: what is done next hears of it.
  begun.copy.on('error', (error) => {
    begun.failure = error
  })
  return begun
}

/** Ends a COPY whose rows aren't wanted any more: the connection takes no statement before. */
async function abandon(open: OpenCopy | undefined): Promise<void> {
  if (open === undefined || open.failure !== undefined) return
  const closed = new Promise((resolve) => {
    open.copy.once('close', resolve)
  })
  open.copy.destroy()
  await closed
}

/** Waits until the connection takes more, and fails as the COPY does. */
async function writeTo(open: OpenCopy, bytes: Buffer): Promise<void> {
  if (open.failure !== undefined) throw open.failure
  await new Promise<void>((resolve, reject) => {
    open.copy.once('error', reject)
    open.copy.write(bytes, (error) => {
      open.copy.off('error', reject)
      if (error == null) resolve()
      else reject(error)
    })
  })
}

function quoted(name: string): string {
  return `public.${pg.escapeIdentifier(name)}`
}
