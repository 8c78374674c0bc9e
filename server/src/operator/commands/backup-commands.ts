import { readFile } from 'node:fs/promises'
import type { StartedDatabase } from '../../platform/db/start-database.ts'
import { backUp } from '../backup/back-up.ts'
import { BackupError } from '../backup/archive-format.ts'
import { restore } from '../backup/restore.ts'
import { openDatabase } from '../../platform/db/database.ts'
import { explainDatabaseError } from '../../platform/db/explain-database-error.ts'
import {
  openExistingDatabase,
  startDatabase,
  useDatabase,
} from '../../platform/db/start-database.ts'
import { isMissingTable } from '../../platform/db/postgres-errors.ts'
import { saveCheck } from '../doctor/check.ts'
import { auditAll } from '../audit-all.ts'
import { printFindings } from './books-commands.ts'
import { commandsOf, endWith, openStoreOf } from './operator-command.ts'
import type { GivenWords, PartsWithoutDatabase } from './operator-command.ts'

export const backupCommands = commandsOf({
  backup: {
    // It opens the database itself: a backup comes before an upgrade and must not bring one.
    needsDatabase: false,
    run: runBackup,
  },
  restore: { needsDatabase: false, run: runRestore },
})

const askForFile = 'Name one file, as in: npm run admin -- backup starside.backup.tar'
const passphraseLengthMin = 12

async function runBackup(parts: PartsWithoutDatabase, words: GivenWords): Promise<number> {
  const { config, clock, print } = parts
  const [target] = words.places
  if (target === undefined) return endWith(print, 2, askForFile)
  const passphrase = await readPassphrase(words.texts['passphrase-file'])
  return withDatabase(openExistingDatabase(config, print), async (url) => {
    const places = await placesOf(parts, url)
    const { byteCount, objects } = await backUp({ ...places, target, passphrase, now: clock })
    const finding = `${toMegabytes(byteCount)} MB${passphrase === undefined ? '' : ', encrypted'}.`
    await noteBackup(url, { at: clock(), finding })
    print(`${target} is complete: ${objects} pictures written, ${toMegabytes(byteCount)} MB.`)
    if (passphrase === undefined) print('It holds keys and addresses of people: keep it safe.')
    return 0
  })
}

/** For the operator's first steps; a database of an older version has no place for it. */
async function noteBackup(url: string, { at, finding }: { at: Date; finding: string }) {
  const { database, close } = openDatabase({ url, connectionsMax: 1, onError: () => undefined })
  try {
    await saveCheck(database, { name: 'backup', checked_at: at, is_good: true, finding })
  } catch (error) {
    if (!isMissingTable(error)) throw error
  } finally {
    await close()
  }
}

async function runRestore(parts: PartsWithoutDatabase, words: GivenWords): Promise<number> {
  const { config, print } = parts
  const [source] = words.places
  if (source === undefined) return endWith(print, 2, askForFile)
  const passphrase = await readPassphrase(words.texts['passphrase-file'])
  return withDatabase(startDatabase(config, print), async (url) => {
    const options = { source, passphrase, replaces: words.flags.has('replace') }
    const places = await placesOf(parts, url)
    const { rows, objects, missingPictures } = await restore({ ...places, ...options })
    print(`${rows} rows and ${objects} pictures are back.`)
    if (missingPictures > 0) {
      print(`${missingPictures} pictures were deleted while the backup was made.`)
    }
    return audit(url, print)
  })
}

async function audit(url: string, print: (line: string) => void): Promise<number> {
  const { database, close } = openDatabase({ url, connectionsMax: 2, onError: () => undefined })
  try {
    return printFindings(print, (await auditAll(database)).findings)
  } finally {
    await close()
  }
}

/** What an installation lies in. */
async function placesOf(parts: PartsWithoutDatabase, url: string) {
  const { config, print } = parts
  const { databaseDirectUrl: databaseUrl = url, dataFolder } = config
  return { databaseUrl, dataFolder, store: await openStoreOf(parts), print }
}

/** Failures of the database become sentences. */
function withDatabase(
  opening: Promise<StartedDatabase>,
  act: (url: string) => Promise<number>,
): Promise<number> {
  return useDatabase(opening, (url) =>
    act(url).catch((error: unknown) => {
      throw explainDatabaseError(url, error)
    }),
  )
}

/** The first line of a file, so that a passphrase stands in no list of processes and no history. */
async function readPassphrase(file: string | undefined): Promise<string | undefined> {
  if (file === undefined) return undefined
  const passphrase = (await readFile(file, 'utf8')).split(/\r?\n/)[0] ?? ''
  if (passphrase.length >= passphraseLengthMin) return passphrase
  throw new BackupError(
    `The first line of ${file} is the passphrase and needs ${passphraseLengthMin} characters or more.`,
  )
}

function toMegabytes(byteCount: number): string {
  return (byteCount / 1e6).toFixed(1)
}
