import type { PhotoHint } from '@starside/engine/photo/photo-error.ts'

/** What the photo coach says of each hint. */
export const hintSentences: Record<PhotoHint, string> = {
  several_faces: 'There are several faces. Pick the one that is you.',
  soft: 'The photo is a little soft. A sharper one gives a crisper selfie.',
  dark: 'The photo is dark. More light on the face gives a better match.',
  tight_crop: 'The photo is cropped tightly. One with the shoulders blends better.',
  turned: 'The face is turned to the side. Looking at the camera works best.',
}
