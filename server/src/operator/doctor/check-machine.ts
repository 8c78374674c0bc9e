import { existsSync } from 'node:fs'
import { access, constants } from 'node:fs/promises'
import net from 'node:net'
import os from 'node:os'
import { dirname } from 'node:path'
import type { Config } from '../../config.ts'
import { comparesFaces, findLikenessFault } from '../../selfies/likeness/face-comparison.ts'
import { freeBytesMin, readFreeBytes } from '../../platform/storage/disk-watch.ts'
import { finding } from './check.ts'
import type { Finding } from './check.ts'

const gibibyte = 1024 ** 3
/** Some thousand pictures, and the database's log. */
const freeBytesGood = 2 * gibibyte
/** The program itself; each picture at a time takes about one more (docs/operate.md). */
const programBytes = 0.5 * gibibyte
const answerWithinMs = 3_000

export async function checkPort({
  port,
  listenAddress,
}: Pick<Config, 'port' | 'listenAddress'>): Promise<Finding> {
  const error = await tryToListen(port, listenAddress)
  if (error === undefined) return finding('portFree', { port, listenAddress })
  if (error === 'EADDRINUSE') {
    const isOurs = await fetch(`http://127.0.0.1:${port}/api/health/live`, {
      signal: AbortSignal.timeout(answerWithinMs),
    }).then(
      ({ ok }) => ok,
      () => false,
    )
    return finding(isOurs ? 'portOurs' : 'portTaken', { port })
  }
  if (error === 'EACCES') return finding('portRefused', { port })
  return finding('noSuchAddress', { listenAddress, reason: error })
}

function tryToListen(port: number, host: string): Promise<string | undefined> {
  return new Promise((resolve) => {
    const server = net.createServer()
    server.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message))
    server.listen({ port, host }, () => server.close(() => resolve(undefined)))
  })
}

type Disk = { folder: string; mayWrite: boolean; freeBytes: number }

/** The folder itself, or where it will be made. */
export async function readDisk({ dataFolder }: Pick<Config, 'dataFolder'>): Promise<Disk> {
  const folder = nearestFolder(dataFolder)
  const mayWrite = await access(folder, constants.W_OK).then(
    () => true,
    () => false,
  )
  return { folder, mayWrite, freeBytes: await readFreeBytes(folder) }
}

export function checkDisk({ folder, mayWrite, freeBytes }: Disk): Finding {
  if (!mayWrite) return finding('diskReadOnly', { folder })
  const values = { free: toGibibytes(freeBytes), folder }
  if (freeBytes < freeBytesMin) return finding('diskFull', values)
  return finding(freeBytes < freeBytesGood ? 'diskFilling' : 'diskFree', values)
}

function nearestFolder(folder: string): string {
  return existsSync(folder) || dirname(folder) === folder ? folder : nearestFolder(dirname(folder))
}

/** What this process may take: the machine's memory, or less in a container. */
const memoryLimit = () => Math.min(process.constrainedMemory() || Infinity, os.totalmem())

export function checkMemory(
  { generationsAtOnce, role }: Pick<Config, 'generationsAtOnce' | 'role'>,
  machine = { bytes: memoryLimit(), cores: os.availableParallelism() },
): Finding[] {
  const wanted = role === 'api' ? gibibyte : programBytes + generationsAtOnce * gibibyte
  const memory = { has: toGibibytes(machine.bytes), wanted: toGibibytes(wanted) }
  const cores = { cores: machine.cores, generations: generationsAtOnce }
  const hasCores = role === 'api' || machine.cores >= generationsAtOnce
  return [
    finding(machine.bytes >= wanted ? 'memoryEnough' : 'memoryShort', memory),
    finding(hasCores ? 'coresEnough' : 'coresShort', cores),
  ]
}

/** Whether hosted pictures can be compared with the photos here; nothing where there are none. */
export async function checkLikeness(config: Config): Promise<Finding[]> {
  if (!comparesFaces(config)) return []
  const fault = await findLikenessFault()
  return [fault === undefined ? finding('likenessCompared') : finding('likenessMissing', { fault })]
}

function toGibibytes(bytes: number): string {
  return (bytes / gibibyte).toFixed(1)
}
