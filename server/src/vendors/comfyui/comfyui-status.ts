import { asList, readObject } from '../../platform/http/read-object.ts'
import { HostedError } from '../hosted-error.ts'
import type { RequestStatus } from '../hosted-provider.ts'

/**
 * How a request stands by its entry in ComfyUI's history; undefined where it has none.
 * @param view makes the address of a picture of the result
 */
export function readHistory(
  body: unknown,
  {
    requestId,
    resultId,
    view,
  }: { requestId: string; resultId: string; view(file: object): string },
): RequestStatus | undefined {
  const entry = readObject(body)[requestId]
  if (entry === undefined) return undefined
  const { outputs, status } = readObject(entry)
  const { status_str: word, messages } = readObject(status)
  if (word === 'error') return failed('provider_down', errorWords(messages))
  const { images } = readObject(readObject(outputs)[resultId])
  const files = asList(images)
    .map(readObject)
    .filter(({ filename }) => typeof filename === 'string')
  if (files.length === 0) return failed('unknown', 'the result has no picture')
  return { state: 'pictures', urls: files.map(view) }
}

/** How a request stands by ComfyUI's queue; undefined where it isn't in it. */
export function readQueue(body: unknown, requestId: string): RequestStatus | undefined {
  const { queue_running: running, queue_pending: pending } = readObject(body)
  if (idsOf(running).includes(requestId)) return { state: 'working' }
  const place = idsOf(pending).indexOf(requestId)
  return place < 0 ? undefined : { state: 'queued', position: place }
}

/** An item is `[number, prompt_id, graph, …]`; what is first in the list needn't come first. */
function idsOf(items: unknown): unknown[] {
  return asList(items)
    .map(asList)
    .toSorted(([one], [other]) => Number(one) - Number(other))
    .map(([, id]) => id)
}

/** Messages are pairs such as `['execution_error', {node_type, exception_message}]`. */
function errorWords(messages: unknown): string {
  for (const message of asList(messages)) {
    const [kind, data] = asList(message)
    if (kind === 'execution_interrupted') return 'ComfyUI was told to stop the request'
    if (kind !== 'execution_error') continue
    const { node_type: node, exception_message: words } = readObject(data)
    return `ComfyUI failed in ${String(node)}: ${String(words)}`
  }
  return 'ComfyUI failed without words'
}

function failed(kind: 'provider_down' | 'unknown', detail: string): RequestStatus {
  return { state: 'failed', error: new HostedError(kind, detail) }
}
