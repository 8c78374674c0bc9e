import type { StoredSheet } from '../selfies/variations/store-sheet.ts'

/** A stored sheet of one picture, whose keys begin with a name; nothing lies under them. */
export function storedSheet(name: string): StoredSheet {
  return {
    keys: {
      clean: `${name}/clean`,
      watermarked: `${name}/marked`,
      cleanThumbnail: `${name}/clean-small`,
      watermarkedThumbnail: `${name}/marked-small`,
    },
    variations: [],
    layers: undefined,
    objectKeys: [],
  }
}
