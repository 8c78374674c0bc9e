import type { Sharp } from 'sharp'

/** What hosted models do to a whole picture, one each. */
export const pictureChanges: Readonly<Record<string, (picture: Sharp) => Sharp>> = {
  'as made': (picture) => picture,
  'half the size': (picture) => picture.resize({ width: 480 }),
  'warm light': (picture) =>
    picture.recomb([
      [1.15, 0.05, 0],
      [0, 1, 0],
      [0, 0, 0.75],
    ]),
  'dim light': (picture) => picture.gamma(1, 1.5),
  'smooth skin': (picture) => picture.median(7),
  'narrower faces': (picture) => picture.resize({ width: 940, height: 1280, fit: 'fill' }),
}
