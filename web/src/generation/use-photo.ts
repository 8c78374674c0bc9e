import { useEffect, useRef, useState } from 'react'
import type { InspectAnswer } from '@starside/contract/generation.ts'
import { useObjectUrl } from '../ui/object-url.ts'
import { call, isAbort } from '../api/call.ts'
import { toggleFace, toggleFaces } from './toggle-face.ts'
import { preparePhoto, type PreparedPhoto } from './prepare-photo.ts'

/** What the photo check says: still looking, its findings, or that it could not be asked. */
export type PhotoCheckState =
  | { state: 'checking' }
  | { state: 'answered'; answer: InspectAnswer }
  | { state: 'failed'; error: unknown }

export interface ChosenPhoto {
  /** Null while the file is being made ready. */
  prepared: PreparedPhoto | null
  check: PhotoCheckState | null
  /** Which face is meant where there are several. */
  faceIndex: number | null
  /** Who else of the own photo is to be in the picture. */
  companions?: readonly number[]
}

/** One photo panel's photo: made ready for upload and checked; `kept` is one of an earlier visit. */
export function usePhoto(kept: ChosenPhoto | null = null, kind: PhotoKind = 'person') {
  const [photo, setPhoto] = useState(() => settled(kept))
  const controller = useRef<AbortController | null>(null)
  useEffect(() => () => controller.current?.abort(), [])

  const choose = async (file: File): Promise<void> => {
    controller.current?.abort()
    const own = new AbortController()
    controller.current = own
    setPhoto({ prepared: null, check: null, faceIndex: null })
    let prepared = await preparePhoto(file)
    if (own.signal.aborted) return
    setPhoto({ prepared, check: { state: 'checking' }, faceIndex: null })
    try {
      let answer = await inspectPhoto(prepared.file, kind, own.signal)
      if (prepared.isShrunk && hasSmallFace(answer)) {
        prepared = await preparePhoto(file, 'ofSmallFaces')
        answer = await inspectPhoto(prepared.file, kind, own.signal)
      }
      // A verdict that came just as another photo was chosen is about the wrong one.
      if (own.signal.aborted) return
      setPhoto({
        prepared,
        check: { state: 'answered', answer },
        faceIndex: answer.faces.length > 1 ? firstFace(answer) : null,
      })
    } catch (error) {
      if (own.signal.aborted || isAbort(error)) return
      setPhoto({ prepared, check: { state: 'failed', error }, faceIndex: null })
    }
  }
  /** Puts a photo of before the page was loaded back; its check is asked for again where it is missing. */
  const restore = (earlier: ChosenPhoto): void => {
    if (earlier.check?.state === 'answered') setPhoto(earlier)
    else if (earlier.prepared) void choose(earlier.prepared.file)
  }
  return {
    photo,
    choose,
    restore,
    clear: () => {
      controller.current?.abort()
      setPhoto(null)
    },
    chooseFace: (faceIndex: number) => setPhoto((old) => old && { ...old, faceIndex }),
    /** Takes a face in or out; `most` are in the picture at most. */
    toggleFace: (index: number, most: number) =>
      setPhoto((old) => old && toggleFace(old, index, most)),
    toggleFaces: (faces: readonly number[]) => setPhoto((old) => old && toggleFaces(old, faces)),
  }
}

/** Whether the face that is meant would gain by more pixels. */
function hasSmallFace(answer: InspectAnswer): boolean {
  const meant = answer.faces[firstFace(answer)]
  return [...(meant?.refusals ?? []), ...(meant?.hints ?? [])].some((code) =>
    ['face_too_small', 'small_face'].includes(code),
  )
}

/** The main face, or the first that can be in a picture where the main one can't. */
function firstFace({ faces }: InspectAnswer): number {
  const main = faces.findIndex(({ isMain }) => isMain)
  const usable = faces.findIndex(({ refusals }) => refusals.length === 0)
  return Math.max(0, usable < 0 || faces[main]?.refusals.length === 0 ? main : usable)
}

/** A kept photo without what ended with its page: a check under way counts as one that failed. */
function settled(kept: ChosenPhoto | null): ChosenPhoto | null {
  if (!kept?.prepared) return null
  if (kept.check && kept.check.state !== 'checking') return kept
  return { ...kept, check: { state: 'failed', error: null } }
}

/** Whether a photo shows somebody who is to be in the picture, or the place behind them. */
type PhotoKind = 'person' | 'background'

/** Asks the server what would spoil a picture made from this photo. Free of charge. */
function inspectPhoto(file: File, kind: PhotoKind, signal: AbortSignal): Promise<InspectAnswer> {
  const form = new FormData()
  form.set('photo', file)
  if (kind === 'background') form.set('isBackground', 'true')
  return call('POST /api/ai?action=inspect', { body: form, signal })
}

/** The address of a photo that the browser can show, until another one is chosen; null without one. */
export function usePhotoAddress(photo: ChosenPhoto | null): string | null {
  return useObjectUrl(photo?.prepared?.readable ? photo.prepared.file : null)
}
