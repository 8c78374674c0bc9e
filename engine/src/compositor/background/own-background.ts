import { backgroundWindow, cleanBackground } from './background.ts'
import type { ColourPlanes } from '../../image/colour-planes.ts'
import type { Rect } from '../../image/raster.ts'
import type { ReadSubject } from '../read-subject.ts'
import { applySimilarity, similarityScale } from '../../image/warp.ts'
import type { Similarity } from '../../image/warp.ts'

/** How far the own background is out of focus, in head sizes. */
const blur = 0.06

interface Size {
  width: number
  height: number
}

/** The part of a person's photo that fills the picture behind them. */
export function ownWindow(
  { photo, head }: Pick<ReadSubject, 'photo' | 'head'>,
  toPicture: Similarity,
  picture: Size,
): Rect {
  const { centre } = head
  const inPicture = applySimilarity(toPicture, centre)
  const scale = similarityScale(toPicture)
  return backgroundWindow(centre, inPicture, scale, photo.levels[0]!, picture)
}

/**
 * The background of a person's own photo with nobody in it, out of focus.
 * @param small the size of the result
 */
export function ownBackground(
  subject: Pick<ReadSubject, 'photo' | 'head' | 'people'>,
  toPicture: Similarity,
  small: Size,
  picture: Size,
): ColourPlanes {
  const { photo, people, head } = subject
  const window = ownWindow(subject, toPicture, picture)
  const headSize = head.size * similarityScale(toPicture)
  const sigma = (blur * headSize * small.width) / picture.width
  return cleanBackground(photo, people, {
    window,
    width: small.width,
    height: small.height,
    sigma,
  })
}
