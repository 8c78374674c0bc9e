/** The objects of a star: the file's name in the store and its type. */
export const starObjects = {
  picture: { file: 'picture.jpg', mediaType: 'image/jpeg' },
  cutout: { file: 'cutout.avif', mediaType: 'image/avif' },
  thumbnailAvif: { file: 'thumbnail-small.avif', mediaType: 'image/avif' },
  thumbnailJpeg: { file: 'thumbnail.jpg', mediaType: 'image/jpeg' },
  preview: { file: 'preview.png', mediaType: 'image/png' },
} as const
export type StarObject = keyof typeof starObjects

/** Selfies that show how a star comes out. */
export const samplesMax = 3

/** Where an object of a star lies in the store. */
export function starObjectKey(objectFolder: string, object: StarObject): string {
  return `stars/${objectFolder}/${starObjects[object].file}`
}

/** @param index from 0 */
export function starSampleKey(objectFolder: string, index: number): string {
  return `stars/${objectFolder}/sample-${index + 1}.jpg`
}

/** The picture that a star is cut out of, until that is done. */
export function starUploadKey(objectFolder: string): string {
  return `stars/${objectFolder}/upload.jpg`
}

/** The queue of stars to be cut out: up to three attempts, each of them at most three minutes. */
export const starQueue = { name: 'star-cutout', retryLimit: 2, expireInSeconds: 180 }
