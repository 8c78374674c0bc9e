import { readdir, readFile, readlink, rename, rm, stat, utimes, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { parseJson, readObject } from '../../http/read-object.ts'

/** What a program says of itself in its claim on a folder. */
export interface Claimant {
  /** Two programs of one place can see each other's processes: {@link describePlace}. */
  readonly place: string
  readonly pid: number
  /** The port of its PostgreSQL on 127.0.0.1, once that runs. */
  readonly port?: number | undefined
}

/** A claim that is held: a file of the folder, touched every three seconds. */
export interface FolderClaim {
  readonly describe: (claimant: Claimant) => Promise<void>
  readonly end: () => Promise<void>
}

interface ClaimOptions {
  readonly claimant: Claimant
  /** Whether a claimant of our own place has surely ended; all others are watched for beats. */
  readonly hasEnded: (other: Claimant) => boolean
  /** Called before a wait of up to eight seconds. */
  readonly onWait: () => void
  /** How long a claim without a beat is watched. */
  readonly staleAfterMs?: number
}

const claimFile = /^in-use(?:\.(?<number>\d{1,15}))?\.json$/
const beatIntervalMs = 3000

/**
 * Claims a folder for one program, also against programs in other containers or on other machines,
 * which share no process ids with us but see the same files.
 *
 * Claims are numbered files. Who finds the last one abandoned creates the next, which succeeds for
 * one alone, and then looks once more: any claim that wasn't there when it looked first is
 * another's, and it gives way. No program removes a claim that it hasn't seen to be abandoned, so
 * of any number that start in the same instant at most one holds the folder.
 *
 * @returns undefined when the folder is claimed by another
 */
export async function claimFolder(
  folder: string,
  options: ClaimOptions,
): Promise<FolderClaim | undefined> {
  const abandoned = await listClaims(folder)
  const watched = abandoned.map(async (name) => isHeld(path.join(folder, name), options))
  if ((await Promise.all(watched)).includes(true)) return undefined

  const own = `in-use.${numberOf(abandoned.at(-1)) + 1}.json`
  const file = path.join(folder, own)
  const created = await writeFile(file, JSON.stringify(options.claimant), {
    flag: 'wx',
    mode: 0o600,
  }).then(
    () => true,
    (error: unknown) => {
      if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false
      throw error
    },
  )
  if (!created) return undefined
  const others = (await listClaims(folder)).filter((name) => name !== own)
  if (!others.every((name) => abandoned.includes(name))) {
    await rm(file, { force: true })
    return undefined
  }
  await Promise.all(abandoned.map((name) => rm(path.join(folder, name), { force: true })))
  return hold(file)
}

/** The claims of a folder as they are now, by their numbers. */
export async function readClaims(folder: string): Promise<Claimant[]> {
  const files = (await listClaims(folder)).map((name) => path.join(folder, name))
  const claims = await Promise.all(files.map(readClaim))
  return claims.filter((claim) => claim !== undefined)
}

/** Names the machine's boot and the process namespace: where these agree, a process id means the same. */
export async function describePlace(): Promise<string> {
  const boot = await readFile('/proc/sys/kernel/random/boot_id', 'utf8').catch(() => os.hostname())
  const processes = await readlink('/proc/self/ns/pid').catch(() => '')
  return `${boot.trim()} ${processes}`
}

/** Touches the file until the claim ends; doesn't keep the program alive. */
function hold(file: string): FolderClaim {
  const touch = async () => {
    const now = new Date()
    await utimes(file, now, now)
  }
  // A missed beat does no harm, and the next one may succeed.
  const timer = setInterval(() => void touch().catch(() => {}), beatIntervalMs)
  timer.unref()
  return {
    describe: async (claimant) => {
      await writeFile(`${file}.next`, JSON.stringify(claimant), { mode: 0o600 })
      await rename(`${file}.next`, file)
    },
    end: async () => {
      clearInterval(timer)
      await rm(file, { force: true })
    },
  }
}

async function isHeld(file: string, options: ClaimOptions): Promise<boolean> {
  const { claimant, hasEnded, onWait, staleAfterMs = 8000 } = options
  const touchedAtMs = await readTouchedAtMs(file)
  const other = await readClaim(file)
  if (touchedAtMs === undefined) return false
  if (other?.place === claimant.place && hasEnded(other)) return false
  onWait()
  const giveUpAtMs = performance.now() + staleAfterMs
  while (performance.now() < giveUpAtMs) {
    await delay(100)
    const nowTouchedAtMs = await readTouchedAtMs(file)
    if (nowTouchedAtMs === undefined) return false
    if (nowTouchedAtMs !== touchedAtMs) return true
  }
  return false
}

async function listClaims(folder: string): Promise<string[]> {
  const names = (await readdir(folder)).filter((name) => claimFile.test(name))
  return names.toSorted((one, other) => numberOf(one) - numberOf(other))
}

/** A claim without a number is of a version that knew only one. */
function numberOf(name: string | undefined): number {
  return Number(claimFile.exec(name ?? '')?.groups?.['number'] ?? 0)
}

async function readTouchedAtMs(file: string): Promise<number | undefined> {
  return stat(file).then(
    ({ mtimeMs }) => mtimeMs,
    () => undefined,
  )
}

/** Undefined for a claim that is gone, is just being written, or is an older version's. */
async function readClaim(file: string): Promise<Claimant | undefined> {
  const text = await readFile(file, 'utf8').catch(() => '')
  const { place, pid, port } = readObject(parseJson(text))
  if (typeof pid !== 'number' || typeof place !== 'string') return undefined
  return { place, pid, port: typeof port === 'number' ? port : undefined }
}
