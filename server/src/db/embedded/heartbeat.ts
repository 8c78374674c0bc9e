import { readFile, readlink, rm, stat, utimes, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'

/** A sign of life in a folder, for programs that the folder's lock can't reach. */
export interface Heartbeat {
  /** Ends it and removes the sign. */
  end(): Promise<void>
}

const fileName = 'in-use.json'
const beatIntervalMs = 3000
const staleAfterMs = 8000

/**
 * True when a program in another container or on another machine uses the folder: it shares neither
 * locks nor process ids with us, but touches its file again while we look.
 *
 * @param onWait called before a wait of up to eight seconds
 */
export async function isUsedElsewhere(folder: string, onWait: () => void): Promise<boolean> {
  const file = path.join(folder, fileName)
  const text = await readFile(file, 'utf8').catch(() => '')
  if (text === '' || text === (await describePlace())) return false
  onWait()
  const touchedAtMs = await readTouchedAtMs(file)
  const giveUpAtMs = performance.now() + staleAfterMs
  while (performance.now() < giveUpAtMs) {
    await delay(100)
    const nowTouchedAtMs = await readTouchedAtMs(file)
    if (nowTouchedAtMs === undefined) return false
    if (nowTouchedAtMs !== touchedAtMs) return true
  }
  return false
}

/** Writes the file and touches it every three seconds; doesn't keep the program alive. */
export async function startHeartbeat(folder: string): Promise<Heartbeat> {
  const file = path.join(folder, fileName)
  await writeFile(file, await describePlace(), { mode: 0o600 })
  const touch = async () => {
    const now = new Date()
    await utimes(file, now, now)
  }
  // A missed beat does no harm, and the next one may succeed.
  const timer = setInterval(() => void touch().catch(() => {}), beatIntervalMs)
  timer.unref()
  return {
    end: async () => {
      clearInterval(timer)
      await rm(file, { force: true })
    },
  }
}

async function readTouchedAtMs(file: string): Promise<number | undefined> {
  return stat(file).then(
    ({ mtimeMs }) => mtimeMs,
    () => undefined,
  )
}

/** Names the machine's boot and the network namespace: where these agree, the lock itself holds. */
async function describePlace(): Promise<string> {
  const boot = await readFile('/proc/sys/kernel/random/boot_id', 'utf8').catch(() => os.hostname())
  const network = await readlink('/proc/self/ns/net').catch(() => '')
  return JSON.stringify({ boot: boot.trim(), network })
}
