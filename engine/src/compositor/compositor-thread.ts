import { once } from 'node:events'
import { flushCompileCache } from 'node:module'
import { parentPort } from 'node:worker_threads'
import type { MessagePort } from 'node:worker_threads'
import sharp from 'sharp'
import { collectGarbage } from '../collect-garbage.ts'
import { loadNetwork, startRuntime } from '../models/litert-runtime.ts'
import { modelFiles } from '../models/model-files.ts'
import { releaseMemory } from '../release-memory.ts'
import { movedWith } from './layers/empty-background.ts'
import type { Networks, ReadSubject } from './read-subject.ts'
import { shareNetwork } from './share-network.ts'
import type {
  RequestOf,
  TaskKind,
  ThreadAnswer,
  ThreadEnvelope,
  ThreadResults,
  ThreadTasks,
} from './thread-calls.ts'
import { createThreadTasks } from './thread-tasks.ts'

/** A worker thread of the compositor: it owns the networks and the photos under work. */

const port = parentPort!

/** The first message. */
export interface ThreadStart {
  /** LiteRT, compiled. */
  runtime: WebAssembly.Module
  /** Leads to a thread that shares its work; undefined: there is none. */
  peer: MessagePort | undefined
}

// Of the whole process: half of the time a core is free for it.
sharp.concurrency(2)
sharp.cache(false)

const begun = once(port, 'message')
const sessions = new Map<number, ReadSubject>()
// Begins at once, so that the first photo finds them loaded; every answer reports a failure.
const networks = loadNetworks()
// By then all code is loaded, and this thread is mostly ended by force.
networks.then(() => flushCompileCache()).catch(() => {})
const tasks: ThreadTasks = createThreadTasks(networks, sessions)

async function loadNetworks(): Promise<Networks> {
  const [{ runtime, peer }] = (await begun) as [ThreadStart]
  await startRuntime(runtime)
  const faceDetector = await loadNetwork(modelFiles.faceDetector)
  const faceMesh = await loadNetwork(modelFiles.faceMesh)
  const own = await loadNetwork(modelFiles.personSegmenter)
  const personSegmenter = peer ? shareNetwork(own, peer, enqueue) : own
  return { faceDetector, faceMesh, personSegmenter }
}

/** Does what the request asks; its fields belong to its kind. */
function answer<Kind extends TaskKind>(
  request: RequestOf<Kind>,
): ThreadResults[Kind] | Promise<ThreadResults[Kind]> {
  return tasks[request.kind](request)
}

/** With no photo in work, arrays of more bytes than this are garbage of the old generation. */
const idleBytesMax = 8_000_000

/** Collects small planes, which lie outside of the collector's heap, when nobody waits for it. */
function collectWhileIdle(after: 'read' | 'readAhead' | 'drop'): void {
  collectGarbage({ type: 'minor' })
  const isIdle = after !== 'read' && sessions.size === 0
  if (isIdle && process.memoryUsage().arrayBuffers > idleBytesMax) collectGarbage()
}

async function handle({ id, request, cancelled }: ThreadEnvelope): Promise<void> {
  if (Atomics.load(cancelled, 0) !== 0 && request.kind !== 'drop') {
    port.postMessage({ id, error: new Error('cancelled') } satisfies ThreadAnswer)
    return
  }
  try {
    const result = await answer(request)
    const moved = result && 'photo' in result ? movedWith(result) : []
    port.postMessage({ id, result } satisfies ThreadAnswer, moved)
    // A copy, as all that is asked with.
    if ('photo' in request) releaseMemory(request.photo.bytes)
    const { kind } = request
    if (kind === 'read' || kind === 'readAhead' || kind === 'drop') collectWhileIdle(kind)
  } catch (error) {
    const cause = error instanceof Error ? error : new Error(String(error))
    port.postMessage({ id, error: cause } satisfies ThreadAnswer)
  }
}

/** Requests are handled one after the other: the networks take one input at a time. */
let queue: Promise<void> = Promise.resolve()

function enqueue(work: () => Promise<void>): void {
  queue = queue.then(work)
}

port.once('message', () => {
  port.on('message', (envelope: ThreadEnvelope) => enqueue(() => handle(envelope)))
})
