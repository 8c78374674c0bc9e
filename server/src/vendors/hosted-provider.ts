import type { Aspect, NormalisedPhoto } from '@starside/engine/image-provider.ts'
import { HostedError } from './hosted-error.ts'
import type { HostedErrorKind } from './hosted-error.ts'
import type { ModelLimits } from './models/model-description.ts'

/** What a hosted provider is asked for. All photos are normalised: upright, bare, ≤ 2048 px. */
export interface ImageRequest {
  /** Text of `buildPrompt`. Image 1 is the user's photo, then the stars', then the place's. */
  prompt: string
  userPhoto: NormalisedPhoto
  /** One or two. */
  starPhotos: readonly NormalisedPhoto[]
  /** The place that the picture is set in; comes last. */
  backgroundPhoto?: NormalisedPhoto | undefined
  aspect: Aspect
  /** How many pictures are wanted at once; 1 where the model takes no count. */
  count: number
}

/** All photos of a request in the order in which the prompt numbers them. */
export function photosOf(request: ImageRequest): NormalisedPhoto[] {
  const { userPhoto, starPhotos, backgroundPhoto } = request
  return [userPhoto, ...starPhotos, ...(backgroundPhoto ? [backgroundPhoto] : [])]
}

interface HostedProviderBase extends ModelLimits {
  /** As in the settings: `fal` or `openai`. */
  readonly name: string
  /**
   * Asks whether the model is there, without having it make a picture: nothing is charged. Answers the
   * day on which the vendor shuts it down, where its list says one. Throws `HostedError` where it isn't.
   */
  probe(signal: AbortSignal): Promise<string | undefined>
}

/** A provider with a queue: the request is submitted, its result comes by webhook or by polling. */
export interface QueuedProvider extends HostedProviderBase {
  readonly kind: 'queued'
  /** Submits once. Throws `HostedError`, with `maybeAccepted` when the connection died. */
  submit(
    request: ImageRequest,
    options: { webhookUrl: string | undefined; startWithinMs: number; signal: AbortSignal },
  ): Promise<Submission>
  /** Asks how the request stands, and for its result when it has ended. Throws `HostedError`. */
  poll(submission: Submission, signal: AbortSignal): Promise<RequestStatus>
  /** Asks the vendor to drop a request; true when it agreed. Never throws. */
  cancel(submission: Submission, signal: AbortSignal): Promise<boolean>
  /** Whether the vendor tells the end by a webhook, where it can reach us. */
  readonly hasWebhooks: boolean
  /** Fetches the picture: allowed hosts only, bounded, sniffed. Throws `HostedError`. */
  download(url: string, signal: AbortSignal): Promise<Uint8Array>
  /** Removes an ended request's photos and pictures; undefined where the vendor keeps nothing. */
  forget?(submission: Submission, urls: readonly string[], signal: AbortSignal): Promise<void>
  /** Has a listener called at a request's news; answers how to end that. */
  listen?(listener: RequestListener): () => void
  close?(): void
}

/** Hears how far a request is, 0…100, or, without a percentage, that it should be polled at once. */
export type RequestListener = (requestId: string, percent?: number) => void

/** A provider that answers with the picture on the same connection. */
export interface DirectProvider extends HostedProviderBase {
  readonly kind: 'direct'
  /** One picture up to the number asked for. Throws `HostedError`, perhaps `maybeAccepted`. */
  generate(request: ImageRequest, signal: AbortSignal): Promise<Uint8Array[]>
}

export type HostedProvider = QueuedProvider | DirectProvider

/** An accepted request; the addresses are checked to be the vendor's own. */
export interface Submission {
  requestId: string
  statusUrl: string
  responseUrl: string
  cancelUrl: string
}

export type RequestStatus =
  | { state: 'queued'; position: number | undefined }
  /** 0…100 of the vendor's work, where it says so. */
  | { state: 'working'; percent?: number }
  | RequestResult

export type RequestResult =
  /** The addresses of all pictures; at least one. */
  { state: 'pictures'; urls: readonly string[] } | { state: 'failed'; error: HostedError }

/** A request that has ended without a picture. */
export function failedRequest(kind: HostedErrorKind, detail: string): RequestResult {
  return { state: 'failed', error: new HostedError(kind, detail) }
}

export interface WebhookNews {
  requestId: string
  /** The id that the request was submitted under, where the vendor gave it another since. */
  earlierRequestId: string | undefined
  end: RequestResult
}
