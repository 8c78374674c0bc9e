import { access, constants, statfs } from 'node:fs/promises'
import net from 'node:net'
import os from 'node:os'
import { dirname } from 'node:path'
import type { Config } from '../../config.ts'
import { comparesFaces, findLikenessFault } from '../../selfies/likeness/try-comparison.ts'
import { ok, problem, warning } from './check.ts'
import type { Finding } from './check.ts'

const gibibyte = 1024 ** 3
const freeBytesMin = 32 * 1024 ** 2
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
  if (error === undefined) return ok(`Port ${port} on ${listenAddress} is free.`)
  if (error === 'EADDRINUSE') {
    const isOurs = await fetch(`http://127.0.0.1:${port}/api/health/live`, {
      signal: AbortSignal.timeout(answerWithinMs),
    }).then(
      ({ ok: answers }) => answers,
      () => false,
    )
    if (isOurs) return ok(`Starside answers on port ${port}.`)
    return problem(`Port ${port} is taken by another program.`, 'Set PORT to a free one.')
  }
  if (error === 'EACCES') {
    return problem(
      `This user may not listen on port ${port}.`,
      'Set PORT to one above 1023 and put a reverse proxy in front.',
    )
  }
  return problem(`${listenAddress} is no address of this machine (${error}).`, 'Look at HOST.')
}

function tryToListen(port: number, host: string): Promise<string | undefined> {
  return new Promise((resolve) => {
    const server = net.createServer()
    server.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message))
    server.listen({ port, host }, () => server.close(() => resolve(undefined)))
  })
}

interface Disk {
  folder: string
  mayWrite: boolean
  freeBytes: number
}

/** The folder itself, or where it will be made. */
export async function readDisk({ dataFolder }: Pick<Config, 'dataFolder'>): Promise<Disk> {
  const folder = await nearestFolder(dataFolder)
  const mayWrite = await access(folder, constants.W_OK).then(
    () => true,
    () => false,
  )
  const { bavail, bsize } = await statfs(folder)
  return { folder, mayWrite, freeBytes: bavail * bsize }
}

export function checkDisk({ folder, mayWrite, freeBytes }: Disk): Finding {
  if (!mayWrite) {
    return problem(`This user may not write into ${folder}.`, 'Change its owner, or set DATA_DIR.')
  }
  const text = `${toGibibytes(freeBytes)} GiB are free in ${folder}`
  if (freeBytes < freeBytesMin) return problem(`${text}: nodes are not ready.`, 'Make room.')
  if (freeBytes < freeBytesGood) return warning(`${text}.`, 'Make room, or move DATA_DIR.')
  return ok(`${text}.`)
}

async function nearestFolder(folder: string): Promise<string> {
  const exists = await access(folder).then(
    () => true,
    () => false,
  )
  return exists || dirname(folder) === folder ? folder : nearestFolder(dirname(folder))
}

export function checkMemory(
  { generationsAtOnce, role }: Pick<Config, 'generationsAtOnce' | 'role'>,
  machine = { bytes: memoryLimit(), cores: os.availableParallelism() },
): Finding[] {
  const wanted = role === 'api' ? gibibyte : programBytes + generationsAtOnce * gibibyte
  const text = `${toGibibytes(machine.bytes)} GiB of memory for up to ${toGibibytes(wanted)}`
  const memory =
    machine.bytes >= wanted
      ? ok(`${text}.`)
      : warning(`${text}.`, 'Lower GENERATIONS_AT_ONCE, or give it more memory.')
  const hasCores = role === 'api' || machine.cores >= generationsAtOnce
  const cores = `${machine.cores} cores for ${generationsAtOnce} pictures at once.`
  return [
    memory,
    hasCores
      ? ok(cores)
      : warning(cores, 'Lower GENERATIONS_AT_ONCE: pictures that share a core come later.'),
  ]
}

/** Whether hosted pictures can be compared with the photos here; nothing where there are none. */
export async function checkLikeness(config: Config): Promise<Finding[]> {
  if (!comparesFaces(config)) return []
  const fault = await findLikenessFault()
  if (fault === undefined) return [ok('The face network compares hosted pictures with the photos.')]
  return [
    warning(
      `Hosted pictures are not compared with the photos: ${fault}.`,
      'See docs/providers.md; LIKENESS_CHECK=off says that you don’t want it.',
    ),
  ]
}

/** What this process may take: the machine's memory, or less in a container. */
function memoryLimit(): number {
  const limit = process.constrainedMemory()
  return limit > 0 ? Math.min(limit, os.totalmem()) : os.totalmem()
}

function toGibibytes(bytes: number): string {
  return (bytes / gibibyte).toFixed(1)
}
