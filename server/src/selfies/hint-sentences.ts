import type { PhotoHint } from '@starside/engine/photo/photo-error.ts'

/** What the photo check says of each hint. */
export const hintSentences: Record<PhotoHint, string> = {
  several_faces: 'There are several faces. Pick the one that is you.',
  tight_crop: 'The photo is cropped tightly. One with the shoulders blends better.',
  turned: 'The face is turned. Looking straight at the camera works best.',
  small_face: 'The face is small in the photo. One taken closer gives a sharper selfie.',
  eyes_closed: 'The eyes look closed. A photo with open eyes works better.',
  hair_cut: 'The hair is cut off at the top. A photo with the whole head works better.',
  hard_sun: 'The light falls hard from above, as of the sun. Outdoor scenes will look best.',
  bright_background: 'The background is very bright. A darker one works better.',
}
