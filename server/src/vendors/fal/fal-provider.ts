import type { NormalisedPhoto } from '@starside/engine/image-provider.ts'
import { askVendor, callVendor } from '../call-vendor.ts'
import type { VendorApi } from '../call-vendor.ts'
import { downloadPicture } from '../download-picture.ts'
import { readObject } from '../../platform/http/read-object.ts'
import { HostedError } from '../hosted-error.ts'
import type { RequestStatus, QueuedProvider, Submission, ImageRequest } from '../hosted-provider.ts'
import { photosOf } from '../hosted-provider.ts'
import type { ProviderParts } from '../image-vendor.ts'
import { limitsOf } from '../models/model-description.ts'
import type { ModelDescription } from '../models/model-description.ts'
import { falError, readFalOutput } from './fal-answers.ts'

/** The card's model is the endpoint id, such as `google/nano-banana-2.1/edit`. */
export interface FalOptions extends Omit<ProviderParts, 'timeoutMs'> {
  apiKey: string
  /** `https://queue.fal.run`, or another that speaks the same protocol. */
  queueUrl: string
}

/** Where fal keeps its models' output. */
const outputHosts = ['fal.media', '*.fal.media', 'fal.run', '*.fal.run']
export const falQueueUrl = 'https://queue.fal.run'
/** Two photos as base64 travel with the request. */
const submitTimeoutMs = 60_000
/** The result is fetched at once, so nothing has to be kept longer at the vendor's. */
const outputLifetimeSeconds = 3600

/**
 * A model on fal's queue, over its plain REST interface: the client library repeats a submit whose
 * connection died, which may be charged twice. https://docs.fal.ai/model-endpoints/queue
 */
export function createFalProvider(options: FalOptions): QueuedProvider {
  const { card, fetch, now, apiKey } = options
  const headers = { authorization: `Key ${apiKey}` }
  const isAccepted = (status: number) => status < 300
  const api = { fetch, now, headers, errorOf: falError, isSuccess: isAccepted }
  const queue = { ...api, isSuccess: (status: number) => status === 200 || status === 202 }
  const model = new URL(`${options.queueUrl}/${card.model}`)
  const queueOrigin = new URL(options.queueUrl).origin
  const rules = { hosts: outputHosts, origins: queueOrigin === falQueueUrl ? [] : [queueOrigin] }
  return {
    kind: 'queued',
    name: 'fal',
    ...limitsOf(card, options.priceMicroUsd),
    submit: (request, terms) => submit(api, model, buildFalInput(card, request), terms),
    poll: (submission, signal) => poll(queue, submission, signal),
    cancel: (submission, signal) => cancel(queue, submission, signal),
    hasWebhooks: true,
    probe: (signal) => probe(api, model, signal),
    download: (url, signal) => downloadPicture(options, url, { rules, signal }),
  }
}

async function submit(
  api: VendorApi,
  model: URL,
  input: object,
  { webhookUrl, startWithinMs, signal }: Parameters<QueuedProvider['submit']>[1],
): Promise<Submission> {
  const url = new URL(model)
  if (webhookUrl !== undefined) url.searchParams.set('fal_webhook', webhookUrl)
  const answer = await callVendor(api, url.href, {
    headers: {
      'x-fal-request-timeout': String(Math.ceil(startWithinMs / 1000)),
      // Photos of people: neither kept nor shown in the account's history.
      'x-fal-store-io': '0',
      'x-fal-object-lifecycle-preference': JSON.stringify({
        expiration_duration_seconds: outputLifetimeSeconds,
      }),
    },
    body: input,
    timeoutMs: submitTimeoutMs,
    signal,
  })
  // A proxy's error leaves open whether the queue behind it took the request.
  if (answer.status === 502 || answer.status === 504) {
    throw new HostedError('provider_down', `fal answered ${answer.status}`, { maybeAccepted: true })
  }
  if (answer.failure !== undefined) throw answer.failure
  return readSubmission(answer.body, url.origin)
}

async function poll(
  api: VendorApi,
  submission: Submission,
  signal: AbortSignal,
): Promise<RequestStatus> {
  const status = await askVendor(api, submission.statusUrl, { signal })
  const { status: word, queue_position: position } = readObject(status)
  if (word === 'IN_QUEUE') {
    return { state: 'queued', position: typeof position === 'number' ? position : undefined }
  }
  if (word === 'IN_PROGRESS') return { state: 'working' }
  if (word !== 'COMPLETED') throw new HostedError('unknown', `fal’s status is ${String(word)}`)
  // 'Completed' only says that it has ended; the result may be the model's error.
  const { status: ended, body, failure } = await callVendor(api, submission.responseUrl, { signal })
  if (ended === 200) return readFalOutput(body)
  return { state: 'failed', error: failure ?? falError(ended, body) }
}

async function cancel(api: VendorApi, submission: Submission, signal: AbortSignal) {
  return askVendor(api, submission.cancelUrl, { method: 'PUT', signal }).then(
    () => true,
    // Too late or unreachable: the request runs out by itself.
    () => false,
  )
}

/** Submits without an input, which costs nothing, and drops it: a missing model is refused. */
async function probe(api: VendorApi, model: URL, signal: AbortSignal): Promise<undefined> {
  const { status, body, failure } = await callVendor(api, model.href, { body: {}, signal })
  // Some models look at the input before they queue it.
  if (status === 422) return
  if (failure !== undefined) throw failure
  await cancel(api, readSubmission(body, model.origin), signal)
}

/** Uses the addresses as they came, but on the queue's host only: the key goes with every call. */
function readSubmission(body: unknown, queueOrigin: string): Submission {
  const record = readObject(body)
  const requestId = record['request_id']
  const urls = ['status_url', 'response_url', 'cancel_url'].map((name) =>
    URL.parse(String(record[name])),
  )
  const isWhole = typeof requestId === 'string' && /^[\w-]{1,100}$/.test(requestId)
  if (!isWhole || !urls.every((url) => url?.origin === queueOrigin)) {
    throw new HostedError('unknown', 'fal’s answer to a request is not as expected', {
      maybeAccepted: true,
    })
  }
  const [statusUrl, responseUrl, cancelUrl] = urls.map((url) => url?.href ?? '')
  return { requestId, statusUrl: statusUrl!, responseUrl: responseUrl!, cancelUrl: cancelUrl! }
}

/** A fal model's input: prompt, photos as `data:` addresses (user first), the fields it takes. */
export function buildFalInput(
  card: ModelDescription,
  request: ImageRequest,
): Record<string, unknown> {
  const { shape, outputFormat, safety } = card
  return {
    prompt: request.prompt,
    image_urls: photosOf(request).map(photoDataUrl),
    ...(card.takesCount === true ? { num_images: request.count } : {}),
    ...(shape === undefined ? {} : { [shape.field]: shape.values[request.aspect] }),
    ...(outputFormat === undefined ? {} : { output_format: outputFormat }),
    ...(safety === undefined ? {} : { [safety.field]: safety.value }),
    ...card.fields,
  }
}

/** A photo as a `data:` address (RFC 2397), so that nothing has to be uploaded anywhere. */
function photoDataUrl(photo: NormalisedPhoto): string {
  return `data:${photo.mediaType};base64,${Buffer.from(photo.bytes).toString('base64')}`
}
