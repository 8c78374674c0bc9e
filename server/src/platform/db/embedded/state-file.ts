import { randomBytes } from 'node:crypto'
import { open, readFile, rename } from 'node:fs/promises'
import path from 'node:path'
import { z } from 'zod'
import { parseJson } from '../../http/read-object.ts'
import { writeFlushed } from '../../storage/write-flushed.ts'
import { EmbeddedPostgresError } from './embedded-postgres-error.ts'

const stateSchema = z.object({
  /** Where PostgreSQL's files are: absolute, or relative to the folder of this file. */
  clusterFolder: z.string().min(1),
  /** True once a database was made there; from then on a missing one is an error. */
  initialised: z.boolean().catch(false),
  /** The password of the role `starside`, which owns the database `starside`. */
  password: z.string().min(1),
  /** The password of the superuser `postgres`. */
  superuserPassword: z.string().min(1),
})

/** What the data folder remembers of its PostgreSQL. Holds secrets: the file has mode 0600. */
export type DatabaseState = Readonly<z.output<typeof stateSchema>>

const about =
  'Written by Starside. clusterFolder is where the files of the embedded PostgreSQL are. ' +
  'A backup needs this file and that folder, both copied while Starside is stopped.'

/** A state with fresh random passwords (256 bits each). */
export function newState(clusterFolder: string): DatabaseState {
  return {
    clusterFolder,
    initialised: false,
    password: newPassword(),
    superuserPassword: newPassword(),
  }
}

function newPassword(): string {
  return randomBytes(32).toString('base64url')
}

/** Reads the state, or answers `undefined` when the data folder has none yet. */
export async function readState(file: string): Promise<DatabaseState | undefined> {
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw error
  })
  if (text === undefined) return undefined
  const state = stateSchema.safeParse(parseJson(text)).data
  if (state !== undefined) return state
  throw new EmbeddedPostgresError(
    'data-folder-damaged',
    `The file ${file}, which holds the database's place and password, can't be read as such. ` +
      'Restore it from a backup.',
  )
}

/** Writes the state so that a crash leaves either the old one or the new one. */
export async function writeState(file: string, state: DatabaseState): Promise<void> {
  const unfinished = `${file}.${randomBytes(6).toString('hex')}`
  await writeFlushed(unfinished, `${JSON.stringify({ about, ...state }, null, 2)}\n`)
  await rename(unfinished, file)
  await syncFolder(path.dirname(file))
}

/** Makes renames in a folder durable. Windows can't open folders and needs no such step. */
export async function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return
  const handle = await open(folder, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
