import type { NormalisedPhoto } from '../image-provider.ts'
import { decodePhoto } from './decode-photo.ts'
import { buildPyramid } from '../image/pyramid.ts'
import type { ReadSubject } from './read-subject.ts'

/** All that was found out about the people of a photo, without the photo's own pixels. */
export type KeptReading = Omit<ReadSubject, 'photo' | 'matte'>

/** What can be kept of a reading. */
export function keepReading(subject: ReadSubject): KeptReading {
  const { photo: _, matte: __, ...kept } = subject
  return kept
}

/** Decodes the photo that a reading was kept of, to go on as if it had just been read. */
export async function reopenReading(
  kept: KeptReading,
  normalised: NormalisedPhoto,
): Promise<ReadSubject> {
  const { image, matte } = await decodePhoto(normalised, kept.quarterTurns)
  // Behind a cut-out is nothing, which alone would be looked at smaller.
  const photo = matte ? { levels: [image] } : buildPyramid(image)
  return { ...kept, photo, matte }
}
