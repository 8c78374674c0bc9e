import { isRecord } from '../api/is-record.ts'
import { respondAsync } from '@starside/contract/api.ts'
import type { GenerationItem } from '@starside/contract/generation.ts'
import type { SceneName } from '@starside/contract/scenes.ts'
import { failureOf, send, ApiError } from '../api/call.ts'
import type { Wishes } from './gather-request.ts'
import { forgetOpenHold, giveBackOpenHold } from '../credits/open-hold.ts'
import { findInterrupted } from './follow-generation.ts'

/** Everything that one selfie is made from. */
export interface GenerationRequest extends Pick<Wishes, 'aspect' | 'look' | 'prompt' | 'consent'> {
  userPhoto: File
  /** The faces of the user's photo who are to be in the picture; empty where there is one. */
  userFaces: readonly number[]
  /** One or two. */
  stars: readonly RequestedStar[]
  /** Null where a background photo takes its place. */
  scene: SceneName | null
  background: File | null
  /** By which the server knows photos that it has checked already: these are named, not sent again. */
  photoDigests: ReadonlyMap<File, string>
  /** Made again where there is a picture of the same photos and wishes already. */
  isRepeat?: boolean
}

/** A star of a request: a preset, or a photo with the face that is meant. */
export interface RequestedStar {
  presetId: string | null
  /** Null for a preset whose picture is not asked for. */
  photo: File | null
  faceIndex: number | null
}

/** The selfie that is made; from a server by the specification alone, the finished picture's address. */
export type Started = { item: GenerationItem } | { item: null; imageUrl: string }

/**
 * Starts a generation. Throws {@link ApiError}: the server's sentence, also of a `success: false`,
 * else 'Backend proxy failed: {status}' (PROXY_ERROR) or 'Proxy request failed: …' (NETWORK_ERROR).
 */
export async function startGeneration(
  request: GenerationRequest,
  { idempotencyKey, holdId }: { idempotencyKey: string; holdId: string | null },
  signal: AbortSignal,
): Promise<Started> {
  const response = await send('POST /api/ai?action=generate', {
    query: { holdId: holdId ?? undefined },
    body: generationForm(request),
    headers: { prefer: respondAsync },
    idempotencyKey,
    signal,
  }).catch((error: unknown) => {
    if (!(error instanceof ApiError)) throw error
    throw new ApiError(`Proxy request failed: ${error.message}`, 0, 'NETWORK_ERROR')
  })
  if (!response.ok) {
    const failure = await failureOf(response)
    const isForgotten = failure.fromServer && failure.code === 'upload_expired'
    if (isForgotten && request.photoDigests.size > 0) {
      // The refusal has given the credit back: the server sets one aside itself.
      const whole = { ...request, photoDigests: new Map() }
      return await startGeneration(whole, { idempotencyKey, holdId: null }, signal)
    }
    if (failure.fromServer) throw failure
    throw new ApiError(`Backend proxy failed: ${response.status}`, response.status, 'PROXY_ERROR')
  }
  return readStarted(await response.json(), response.status)
}

/** Reads `{success, imageUrl, error}`, and our own `generation` beside it. Throws {@link ApiError}. */
export function readStarted(answer: unknown, status: number): Started {
  const fail = (message: string, code: string): never => {
    throw new ApiError(message, status, code, message !== '')
  }
  if (!isRecord(answer)) return fail('', 'BAD_ANSWER')
  const { success, error, code, generation, imageUrl } = answer
  if (success !== true) {
    const reason = typeof error === 'string' ? error : ''
    return fail(reason, typeof code === 'string' && reason !== '' ? code : 'NO_REASON')
  }
  if (isRecord(generation)) return { item: generation as unknown as GenerationItem }
  if (typeof imageUrl === 'string' && imageUrl !== '') return { item: null, imageUrl }
  return fail('', 'NO_PICTURE')
}

/** The multipart form of the `generate` call. */
export function generationForm(request: GenerationRequest): FormData {
  const form = new FormData()
  /** A photo as it goes over the line: once, so that the server finds again what it has checked. */
  const sent = (photo: File): File | string => request.photoDigests.get(photo) ?? photo
  if (request.background) form.set('background', sent(request.background))
  else if (request.scene) form.set('scene', request.scene)
  form.set('aspect', request.aspect)
  if (request.look !== 'automatic') form.set('look', request.look)
  if (request.prompt.trim()) form.set('prompt', request.prompt.trim())
  const [face, ...companions] = request.userFaces
  if (companions.length > 0) form.set('userFaces', request.userFaces.join(','))
  else if (face !== undefined) form.set('userFaceIndex', String(face))
  if (request.consent) form.set('consent', 'true')
  if (request.isRepeat !== true) form.set('askBeforeRepeat', 'true')
  form.set('userPhoto', sent(request.userPhoto))
  // The second of each field is the second star's; the first ones are there then, though empty.
  const isPair = request.stars.length > 1
  for (const { presetId, photo, faceIndex } of request.stars) {
    if (isPair || presetId !== null) form.append('presetId', presetId ?? '')
    if (isPair || faceIndex !== null) form.append('starFaceIndex', String(faceIndex ?? ''))
    // The server has the presets' pictures itself.
    if (photo) form.append('celebrityPhoto', presetId ? new File([], photo.name) : sent(photo))
  }
  return form
}

/** One try that may be repeated after a lost connection without paying twice. */
export interface KeyedRequest {
  request: GenerationRequest
  key: string
  /** The credit that this tab holds for it; null lets the server choose. */
  holdId: string | null
}

/** A selfie that failed and whose credit was given back; `cause` says how. */
export class CreditBackError extends Error {
  override name = 'CreditBackError'
}

/**
 * Sends the photos; `onAnswer` hears whether the request's fate is known. A broken upload gives its credit
 * back unless all photos had arrived. Throws {@link CreditBackError}, and what `startGeneration` throws.
 */
export async function upload(
  { request, key, holdId }: KeyedRequest,
  signal: AbortSignal,
  startedAtMs: number,
  onAnswer: (isAnswered: boolean) => void,
): Promise<Started> {
  try {
    const started = await startGeneration(request, { idempotencyKey: key, holdId }, signal)
    forgetOpenHold()
    onAnswer(true)
    return started
  } catch (failure) {
    if (signal.aborted) throw failure
    // A refusal of the program itself has given the credit back; one of a proxy knows of none.
    if (failure instanceof ApiError && failure.fromServer) {
      forgetOpenHold()
      onAnswer(true)
      throw failure.status === 422 ? new CreditBackError('Refused.', { cause: failure }) : failure
    }
    const isBack = await giveBackOpenHold()
    onAnswer(isBack !== null || (failure instanceof ApiError && failure.status > 0))
    if (isBack === true) throw new CreditBackError('The upload broke off.', { cause: failure })
    const item = isBack === false ? await findInterrupted(startedAtMs, signal) : null
    if (item === null) throw failure
    return { item }
  }
}

/** True for the same request once more; a preset's picture is fetched anew each time. */
export function sameRequest(a: GenerationRequest, b: GenerationRequest): boolean {
  const [one, other] = [partsOf(a), partsOf(b)]
  return one.length === other.length && one.every((part, index) => part === other[index])
}

function partsOf({ userFaces, stars, ...rest }: GenerationRequest): unknown[] {
  const ofStars = stars.flatMap(({ presetId, photo, faceIndex }): unknown[] =>
    presetId === null ? [photo, faceIndex] : [presetId],
  )
  return [userFaces.join(), ...ofStars, ...Object.values({ ...rest, photoDigests: null })]
}
