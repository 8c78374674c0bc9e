import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { z } from 'zod'
import { parseJson } from '../../http/read-object.ts'
import { undefinedWhenMissing } from '../../errors/code-of.ts'
import { writeWhole } from '../../storage/write-flushed.ts'
import { embeddedProblem } from './embedded-postgres-error.ts'

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
  const newPassword = () => randomBytes(32).toString('base64url')
  const [password, superuserPassword] = [newPassword(), newPassword()]
  return { clusterFolder, initialised: false, password, superuserPassword }
}

/** Where it lies in `home`, the folder `postgres` of the data folder. */
export function stateFileOf(home: string): string {
  return path.join(home, 'embedded-postgres.json')
}

/** Reads the state, or answers `undefined` when the data folder has none yet. */
export async function readState(home: string): Promise<DatabaseState | undefined> {
  const stateFile = stateFileOf(home)
  const text = await readFile(stateFile, 'utf8').catch(undefinedWhenMissing)
  if (text === undefined) return undefined
  const state = stateSchema.safeParse(parseJson(text)).data
  if (state !== undefined) return state
  throw embeddedProblem('data-folder-damaged', 'unreadableStateFile', { stateFile })
}

export function writeState(home: string, state: DatabaseState): Promise<void> {
  return writeWhole(stateFileOf(home), `${JSON.stringify({ about, ...state }, null, 2)}\n`)
}
