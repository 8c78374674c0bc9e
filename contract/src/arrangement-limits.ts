/** What an arrangement may be. No schema library here: browsers load this. */

/** How the whole picture may be wished to be developed before it is made. */
export const wishedLooks = ['natural', 'black-and-white', 'warm', 'muted'] as const
export type WishedLook = (typeof wishedLooks)[number]
/** How what we compose is developed where nobody wished for anything else. */
export const usualLook = 'warm' satisfies WishedLook
/** Hints of photos, one of the first two or two others, of which a picture in colour would hardly be believed. */
export const greyHints = [
  'no_colour',
  'several_faces',
  'tight_crop',
  'small_face',
  'turned',
  'bright_background',
] as const
export type GreyHint = (typeof greyHints)[number]
/** Those hints because of which a picture begins in black and white, where no look is wished for; in a scene or another place only the first. */
export function greyHintsOf(hints: readonly string[], isElsewhere: boolean): GreyHint[] {
  const asked = isElsewhere ? greyHints.slice(0, 1) : greyHints
  const telling = asked.filter((hint) => hints.includes(hint))
  return telling.length > 1 || asked.slice(0, 2).some((one) => hints.includes(one)) ? telling : []
}
/** All ways to develop it; `instant` adds a white frame with a caption. */
export const pictureLooks = [...wishedLooks, 'instant'] as const
export type PictureLook = (typeof pictureLooks)[number]

/** What a brush does to a cut-out: it takes away, or gives back what was there of the person. */
export const brushKinds = ['erase', 'restore'] as const

/** Bounds of an arrangement; what lies outside of them is refused. */
export const arrangementLimits = {
  /** Of a head: its size in parts of the picture's height. */
  sizeMin: 0.12,
  sizeMax: 0.7,
  /** How far a person may be turned either way. */
  turnDegreesMax: 15,
  captionCharactersMax: 40,
  /** The user and who stays with them are one subject; each star is another. */
  subjectsMax: 3,
  /** Of a brush: its diameter in head sizes. */
  brushSizeMin: 0.05,
  brushSizeMax: 0.8,
  /** Of one person: strokes, and points of all of them. */
  strokesMax: 60,
  strokePointsMax: 800,
  /** How far a point lies from the one before it, in head sizes. */
  strokeStepMax: 0.5,
  /** How far a stroke lies from the head. */
  strokeReachMax: 12,
} as const
