import { useEffect } from 'react'
import type { PrepareInput } from '@starside/contract/generation.ts'
import { call } from '../api/call.ts'
import type { StudioChoices, ChosenStar } from './gather-request.ts'
import { chosenFaces } from './toggle-face.ts'
import type { ChosenPhoto } from './use-photo.ts'

/** So long a choice stands before it is taken for what will be asked for. */
const settledMs = 500

/**
 * Tells the server what is chosen once both people are known, so that it can work while the rest is chosen.
 * Without an answer the picture only comes later.
 */
export function usePreparation(choices: StudioChoices): void {
  const input = preparationOf(choices)
  const text = input && JSON.stringify(input)
  useEffect(() => {
    if (text === null) return
    const changed = new AbortController()
    const timer = setTimeout(() => {
      const body = JSON.parse(text) as PrepareInput
      call('POST /api/ai?action=prepare', { body, signal: changed.signal }).catch(() => {})
    }, settledMs)
    return () => {
      clearTimeout(timer)
      changed.abort()
    }
  }, [text])
}

/** What the server can prepare for what is chosen; null where something is missing or would not pay. */
export function preparationOf({ mine, star, second, wishes }: StudioChoices): PrepareInput | null {
  const userPhoto = digestOf(mine)
  const chosen = [star, ...(second ? [second] : [])].map(starOf)
  const stars = chosen.filter((one) => one !== null)
  // In front of a photo of a place everybody is cut out otherwise.
  if (!mine || !userPhoto || stars.length < chosen.length || wishes.scene === 'photo') return null
  const faces = chosenFaces(mine)
  const userFaces = faces.length > 0 ? { userFaces: faces } : {}
  return { userPhoto, ...userFaces, stars, aspect: wishes.aspect }
}

function starOf({ custom, preset }: ChosenStar): PrepareInput['stars'][number] | null {
  if (!custom) return preset ? { presetId: preset.id } : null
  const photo = digestOf(custom)
  if (!photo) return null
  return custom.faceIndex === null ? { photo } : { photo, faceIndex: custom.faceIndex }
}

/** By which the server knows the photo; undefined until it was checked. */
export function digestOf(photo: ChosenPhoto | null): string | undefined {
  return photo?.check?.state === 'answered' ? photo.check.answer.photoDigest : undefined
}
