import type { NormalisedPhoto } from '@starside/engine/image-provider.ts'
import { callVendor, readRetryAfterMs } from '../call-vendor.ts'
import type { VendorAnswer } from '../call-vendor.ts'
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
  const { card } = options
  const queueOrigin = new URL(options.queueUrl).origin
  const rules = {
    hosts: outputHosts,
    origins: queueOrigin === falQueueUrl ? [] : [queueOrigin],
  }
  return {
    kind: 'queued',
    name: 'fal',
    ...limitsOf(card, options.priceMicroUsd),
    submit: (request, terms) => submit(options, buildFalInput(card, request), terms),
    poll: (submission, signal) => poll(options, submission, signal),
    cancel: (submission, signal) => cancel(options, submission, signal),
    hasWebhooks: true,
    probe: (signal) => probe(options, signal),
    download: (url, signal) => downloadPicture(options, url, { rules, signal }),
  }
}

async function submit(
  options: FalOptions,
  input: object,
  { webhookUrl, startWithinMs, signal }: Parameters<QueuedProvider['submit']>[1],
): Promise<Submission> {
  const url = new URL(`${options.queueUrl}/${options.card.model}`)
  if (webhookUrl !== undefined) url.searchParams.set('fal_webhook', webhookUrl)
  const answer = await callVendor(options.fetch, url.href, {
    method: 'POST',
    headers: {
      ...authorizationOf(options),
      'content-type': 'application/json',
      'x-fal-request-timeout': String(Math.ceil(startWithinMs / 1000)),
      // Photos of people: neither kept nor shown in the account's history.
      'x-fal-store-io': '0',
      'x-fal-object-lifecycle-preference': JSON.stringify({
        expiration_duration_seconds: outputLifetimeSeconds,
      }),
    },
    body: JSON.stringify(input),
    timeoutMs: submitTimeoutMs,
    signal,
  })
  // A gateway's error leaves open whether the queue behind it took the request.
  if (answer.status === 502 || answer.status === 504) {
    throw new HostedError('provider_down', `fal answered ${answer.status}`, { maybeAccepted: true })
  }
  if (answer.status > 299) throw errorOf(options, answer)
  return readSubmission(answer.body, url.origin)
}

async function poll(
  options: FalOptions,
  submission: Submission,
  signal: AbortSignal,
): Promise<RequestStatus> {
  const status = await callQueue(options, 'GET', submission.statusUrl, signal)
  if (status.status !== 200 && status.status !== 202) throw errorOf(options, status)
  const { status: word, queue_position: position } = readObject(status.body)
  if (word === 'IN_QUEUE') {
    return { state: 'queued', position: typeof position === 'number' ? position : undefined }
  }
  if (word === 'IN_PROGRESS') return { state: 'working' }
  if (word !== 'COMPLETED') throw new HostedError('unknown', `fal’s status is ${String(word)}`)
  // 'Completed' only says that it has ended; the result may be the model's error.
  const result = await callQueue(options, 'GET', submission.responseUrl, signal)
  if (result.status === 200) return readFalOutput(result.body)
  return { state: 'failed', error: errorOf(options, result) }
}

async function cancel(options: FalOptions, submission: Submission, signal: AbortSignal) {
  try {
    const answer = await callQueue(options, 'PUT', submission.cancelUrl, signal)
    return answer.status === 202 || answer.status === 200
  } catch {
    // Too late or unreachable: the request runs out by itself.
    return false
  }
}

/**
 * Submits a request without any input, which no model accepts and nobody is charged for: a model that
 * isn't there is turned away at once. The request is dropped as soon as it is known.
 */
async function probe(options: FalOptions, signal: AbortSignal): Promise<undefined> {
  const url = new URL(`${options.queueUrl}/${options.card.model}`)
  const answer = await callVendor(options.fetch, url.href, {
    method: 'POST',
    headers: { ...authorizationOf(options), 'content-type': 'application/json' },
    body: '{}',
    signal,
  })
  // Some models look at the input before they queue it.
  if (answer.status === 422) return
  if (answer.status > 299) throw errorOf(options, answer)
  await cancel(options, readSubmission(answer.body, url.origin), signal)
}

function callQueue(options: FalOptions, method: 'GET' | 'PUT', url: string, signal: AbortSignal) {
  return callVendor(options.fetch, url, {
    method,
    headers: authorizationOf(options),
    signal,
  })
}

function authorizationOf({ apiKey }: FalOptions): { authorization: string } {
  return { authorization: `Key ${apiKey}` }
}

function errorOf({ now }: FalOptions, answer: VendorAnswer): HostedError {
  return falError(answer.status, answer.body, readRetryAfterMs(answer.headers, now()))
}

/**
 * The addresses are used as they came, because they lack a part of the model's path; but only on
 * the queue's own host, since the key travels with every call.
 */
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

/**
 * The input of one fal model: prompt, all photos as `data:` addresses (user first), and only the
 * fields that the model is known to take.
 */
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
