import { isRecord } from '../api/is-record.ts'
import { respondAsync } from '@starside/contract/api.ts'
import { usualLook } from '@starside/contract/arrangement-limits.ts'
import type { WishedLook } from '@starside/contract/arrangement-limits.ts'
import type { GenerationItem } from '@starside/contract/generation.ts'
import type { SceneName, SelfieAspect } from '@starside/contract/scenes.ts'
import { ApiError } from '../api/api-error.ts'
import { failureOf, send } from '../api/call.ts'

/** Everything that one selfie is made from. */
export interface GenerationRequest {
  userPhoto: File
  celebrityPhoto: File
  /** Set when the celebrity is a preset and not a custom photo. */
  presetId: string | null
  /** A second star: a preset, or a photo with the face that is meant. */
  secondPresetId: string | null
  secondPhoto: File | null
  secondFaceIndex: number | null
  prompt: string
  /** Null where a background photo takes its place. */
  scene: SceneName | null
  background: File | null
  aspect: SelfieAspect
  look: WishedLook
  /** The faces of the user's photo who are to be in the picture; empty where there is one. */
  userFaces: readonly number[]
  starFaceIndex: number | null
  /** The person confirmed that the people of a custom photo agreed and are adults. */
  consent: boolean
  /** By which the server knows photos that it has checked already: these are named, not sent again. */
  photoDigests: ReadonlyMap<File, string>
  /** Made again where there is a picture of the same photos and wishes already. */
  isRepeat?: boolean
}

/**
 * What a `generate` call answers: the selfie that is being made, or, from a server that answers
 * only what the specification names, the address of the finished picture.
 */
export type Started = { item: GenerationItem } | { item: null; imageUrl: string }

/**
 * Starts a generation. Throws {@link ApiError}: the server's sentence, also where it stands in a
 * successful answer with `success: false`, else 'Backend proxy failed: {status}' (PROXY_ERROR), or
 * 'Proxy request failed: …' (NETWORK_ERROR).
 */
export async function startGeneration(
  request: GenerationRequest,
  { idempotencyKey, holdId }: { idempotencyKey: string; holdId: string | null },
  signal: AbortSignal,
): Promise<Started> {
  try {
    return await startOnce(request, { idempotencyKey, holdId }, signal)
  } catch (failure) {
    const isForgotten = failure instanceof ApiError && failure.code === 'upload_expired'
    if (!isForgotten || request.photoDigests.size === 0) throw failure
    // The refusal has given the credit back: the server sets one aside itself.
    const whole = { ...request, photoDigests: new Map() }
    return await startOnce(whole, { idempotencyKey, holdId: null }, signal)
  }
}

async function startOnce(
  request: GenerationRequest,
  { idempotencyKey, holdId }: { idempotencyKey: string; holdId: string | null },
  signal: AbortSignal,
): Promise<Started> {
  let response: Response
  try {
    response = await send('POST /api/ai?action=generate', {
      query: { holdId: holdId ?? undefined },
      body: generationForm(request),
      headers: { prefer: respondAsync },
      idempotencyKey,
      signal,
    })
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    throw new ApiError(`Proxy request failed: ${error.message}`, {
      status: 0,
      code: 'NETWORK_ERROR',
      fromServer: false,
    })
  }
  if (!response.ok) {
    const failure = await failureOf(response)
    if (failure.fromServer) throw failure
    throw new ApiError(`Backend proxy failed: ${response.status}`, {
      status: response.status,
      code: 'PROXY_ERROR',
      fromServer: false,
    })
  }
  return readStarted(await response.json(), response.status)
}

/** Reads `{success, imageUrl, error}`, and our own `generation` beside it. Throws {@link ApiError}. */
export function readStarted(answer: unknown, status: number): Started {
  const fail = (message: string, code: string): never => {
    throw new ApiError(message, { status, code, fromServer: message !== '' })
  }
  if (!isRecord(answer)) return fail('', 'BAD_ANSWER')
  const { success, error, code, generation, imageUrl } = answer
  if (success !== true) {
    const reason = typeof error === 'string' ? error : ''
    return fail(reason, typeof code === 'string' && reason !== '' ? code : 'NO_REASON')
  }
  if (typeof generation === 'object' && generation !== null) {
    return { item: generation as GenerationItem }
  }
  if (typeof imageUrl === 'string' && imageUrl !== '') return { item: null, imageUrl }
  return fail('', 'NO_PICTURE')
}

/** The photos that a request sends. */
export function photosOf(request: GenerationRequest): File[] {
  const { userPhoto, celebrityPhoto, secondPhoto, background } = request
  return [userPhoto, celebrityPhoto, secondPhoto, background].filter((photo) => photo !== null)
}

/** The multipart form of the `generate` call. */
export function generationForm(request: GenerationRequest): FormData {
  const form = new FormData()
  /** A photo as it goes over the line: once, so that the server finds again what it has checked. */
  const sent = (photo: File): File | string => request.photoDigests.get(photo) ?? photo
  if (request.background) form.set('background', sent(request.background))
  else if (request.scene) form.set('scene', request.scene)
  form.set('aspect', request.aspect)
  if (request.look !== usualLook) form.set('look', request.look)
  if (request.prompt.trim()) form.set('prompt', request.prompt.trim())
  if (request.presetId) form.set('presetId', request.presetId)
  const [face, ...companions] = request.userFaces
  if (companions.length > 0) form.set('userFaces', request.userFaces.join(','))
  else if (face !== undefined) form.set('userFaceIndex', String(face))
  if (request.starFaceIndex !== null) form.set('starFaceIndex', String(request.starFaceIndex))
  if (request.consent) form.set('consent', 'true')
  if (request.isRepeat !== true) form.set('askBeforeRepeat', 'true')
  form.set('userPhoto', sent(request.userPhoto))
  // The server has the presets' pictures itself.
  const { celebrityPhoto, presetId } = request
  form.set('celebrityPhoto', presetId ? new File([], celebrityPhoto.name) : sent(celebrityPhoto))
  if (request.secondPresetId !== null || request.secondPhoto) {
    appendSecondStar(form, request, sent)
  }
  return form
}

/** The second of each field is the second star's; the first ones are there, though empty. */
function appendSecondStar(
  form: FormData,
  request: GenerationRequest,
  sent: (photo: File) => File | string,
): void {
  const { secondPresetId, secondPhoto, secondFaceIndex } = request
  for (const name of ['presetId', 'starFaceIndex']) if (!form.has(name)) form.set(name, '')
  form.append('presetId', secondPresetId ?? '')
  form.append('starFaceIndex', secondFaceIndex === null ? '' : String(secondFaceIndex))
  if (secondPhoto) form.append('celebrityPhoto', sent(secondPhoto))
}
