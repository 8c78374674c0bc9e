import type { StoredSheet } from '../selfies/variations/store-sheet.ts'

/** A stored sheet of one picture, whose keys begin with a name; nothing lies under them. */
export function storedSheet(name: string): StoredSheet {
  return {
    picture: {
      clean_key: `${name}/clean`,
      watermarked_key: `${name}/marked`,
      clean_thumbnail_key: `${name}/clean-small`,
      watermarked_thumbnail_key: `${name}/marked-small`,
      width_px: 1024,
      height_px: 1280,
      picture_hash: '42',
    },
    variations: [],
    layers: undefined,
    objectKeys: [],
  }
}
