import { useEffect, useRef, useState } from 'react'
import type { InspectAnswer } from '@starside/contract/generation.ts'
import { ApiError, call, isAbort } from '../api/call.ts'
import { preparePhoto, type PreparedPhoto } from './prepare-photo.ts'

export interface ChosenPhoto {
  /** Null while the file is being made ready. */
  prepared: PreparedPhoto | null
  /** What the photo check says: still looking, its findings, or that it could not be asked. */
  check:
    | { state: 'checking' }
    | { state: 'answered'; answer: InspectAnswer }
    | { state: 'failed'; error: unknown }
    | null
  /** Which face is meant where there are several; null until that is known. */
  faceIndex: number | null
  /** Who else of the own photo is to be in the picture; undefined until somebody has chosen a face. */
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
      // What is no picture needs no server; of an empty file that has a sentence.
      if (!prepared.readable && !pictureStart.test(await file.slice(0, 12).text())) {
        throw new ApiError('', 415, 'photo_format', true)
      }
      let answer = await inspectPhoto(prepared.file, kind, own.signal)
      if (prepared.isShrunk && hasSmallFace(answer)) {
        prepared = await preparePhoto(file, 'ofSmallFaces')
        answer = await inspectPhoto(prepared.file, kind, own.signal)
      }
      // A verdict that came just as another photo was chosen is about the wrong one.
      if (own.signal.aborted) return
      const faceIndex = answer.faces.length > 1 ? firstFace(answer, kind === 'own') : null
      setPhoto({ prepared, check: { state: 'answered', answer }, faceIndex })
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
    /** Takes a face in or out; `most` are in the picture at most. */
    toggleFace: (index: number, most: number) =>
      setPhoto((old) => old && toggleFace(old, index, most)),
    toggleEverybody: (faces: readonly number[]) =>
      setPhoto((old) => old && toggleEverybody(old, faces)),
  }
}

/** How JPEG, PNG, GIF, WebP and AVIF begin as text, where no UTF-8 is U+FFFD; an empty file too. */
const pictureStart = /^(?:$|\uFFFD{3}|\uFFFDPNG|GIF8|RIFF|.{4}ftyp)/s

/** Whether the face that is meant would gain by more pixels. */
function hasSmallFace(answer: InspectAnswer): boolean {
  const { refusals = [], hints = [] } = answer.faces[firstFace(answer) ?? 0] ?? {}
  return refusals.includes('face_too_small') || hints.includes('small_face')
}

/** The face that is meant first: large, near the middle, one that can be used; null where it must be twice the next, and isn't. */
export function firstFace({ faces }: Pick<InspectAnswer, 'faces'>, isClear = false): number | null {
  const worths = faces.map(({ x, width, height, refusals }) => {
    const aside = Math.abs(x + width / 2 - 0.5)
    return (width * height * (1 - aside)) / (refusals.length > 0 ? 1000 : 1)
  })
  const [most = 0, next = 0] = worths.toSorted((one, other) => other - one)
  return isClear && most < 2 * next ? null : worths.indexOf(most)
}

/** A kept photo without what ended with its page: a check under way counts as one that failed. */
function settled(kept: ChosenPhoto | null): ChosenPhoto | null {
  if (!kept?.prepared) return null
  if (kept.check && kept.check.state !== 'checking') return kept
  return { ...kept, check: { state: 'failed', error: null } }
}

/** Whether a photo shows somebody who is to be in the picture, oneself, or who has no account yet, or the place behind them. */
type PhotoKind = 'person' | 'own' | 'stranger' | 'background'

/** Asks the server what would spoil a picture made from this photo. Free of charge. */
function inspectPhoto(file: File, kind: PhotoKind, signal: AbortSignal): Promise<InspectAnswer> {
  const form = new FormData()
  form.set('photo', file)
  if (kind === 'background') form.set('isBackground', 'true')
  const act = kind === 'stranger' ? 'check' : 'inspect'
  return call(`POST /api/ai?action=${act}`, { body: form, signal })
}

/** An address of a photo that the browser can show, released as soon as another one is chosen or the component goes. */
export function usePhotoAddress(photo: ChosenPhoto | null): string | null {
  const file = photo?.prepared?.readable ? photo.prepared.file : null
  const [address, setAddress] = useState<string | null>(null)
  useEffect(() => {
    const created = file ? URL.createObjectURL(file) : null
    // oxlint-disable-next-line react/set-state-in-effect -- An address is a resource to release.
    setAddress(created)
    return created ? () => URL.revokeObjectURL(created) : undefined
  }, [file])
  return address
}

/** The faces that are meant in a photo of several, in the order of the photo check. */
export function chosenFaces({ faceIndex, companions = [] }: ChosenPhoto): number[] {
  return faceIndex === null ? [] : [faceIndex, ...companions].toSorted((one, other) => one - other)
}

/** Whether one of several faces is still to be chosen. */
export function needsChoice({ check, faceIndex }: ChosenPhoto): boolean {
  const faces = check?.state === 'answered' && faceIndex === null ? check.answer.faces : []
  return faces.length > 1 && faces.some(({ refusals }) => refusals.length === 0)
}

/** Takes a face in or out, and with it who would stand left out between others; the last one stays, and in a full picture one takes another's place. */
export function toggleFace(photo: ChosenPhoto, index: number, most: number): ChosenPhoto {
  const before = most === 1 ? [] : chosenFaces(photo)
  const isChosen = before.includes(index)
  if (isChosen && before.length === 1) return photo
  const faces = photo.check?.state === 'answered' ? photo.check.answer.faces : []
  const kept = (group: number[]): number => group.filter((face) => before.includes(face)).length
  const [after = [index]] = groupsOf(faces, most)
    .filter((group) => group.includes(index) !== isChosen)
    .toSorted((one, other) => kept(other) - kept(one) || one.length - other.length)
  const [faceIndex = index, ...companions] = after
  return { ...photo, faceIndex, companions }
}

/** All groups of up to `most` faces that can come into a picture together, each in the order of the photo check. */
export function groupsOf(faces: InspectAnswer['faces'], most: number): number[][] {
  const groups: number[][] = [[]]
  for (const [index, { refusals }] of faces.entries()) {
    if (refusals.length > 0) continue
    groups.push(...groups.flatMap((group) => (group.length < most ? [[...group, index]] : [])))
  }
  return groups.filter((group) => group.length > 0 && !hasSomebodyBetween(faces, group))
}

/** Whether somebody left out stands between these faces, and touches one, which the server refuses, or leaves a gap as large as they are. */
function hasSomebodyBetween(faces: InspectAnswer['faces'], group: readonly number[]): boolean {
  const chosen = group.flatMap((index) => faces[index] ?? [])
  return faces.some(({ x, y, width, touches = [] }, index) => {
    const isAlike = (face: (typeof chosen)[0]): boolean =>
      width > 0.8 * face.width && Math.abs(y - face.y) < face.height
    const isNear = chosen.every(isAlike) || touches.some((other) => group.includes(other))
    const sides = chosen.map((face) => x + width / 2 > face.x + face.width / 2)
    return !group.includes(index) && isNear && new Set(sides).size > 1
  })
}

/** Everybody of a photo; none where that is one person, or more than fit, or somebody can't be in a picture. */
export function everybodyIn({ check }: ChosenPhoto, most: number): number[] {
  const faces = check?.state === 'answered' ? check.answer.faces : []
  return groupsOf(faces, most).find(({ length }) => length > 1 && length === faces.length) ?? []
}

/** Takes everybody of a photo, `faces`, into the picture; where they are in it already, the first one alone. */
export function toggleEverybody(photo: ChosenPhoto, faces: readonly number[]): ChosenPhoto {
  const [faceIndex = 0, ...companions] = faces
  const areChosen = chosenFaces(photo).length === faces.length
  return { ...photo, faceIndex, companions: areChosen ? [] : companions }
}
