import { installedApp, sharedPhotoBytesMax } from '@starside/contract/installed-app.ts'
import { keepSharedPhoto } from '../src/install/shared-photo.ts'

/**
 * Keeps the first picture of a share for the studio; of anything else nothing is kept, and the
 * dashboard says so. Throws where the form can't be read or the browser stores nothing.
 */
export async function receiveSharedPhoto(request: Request, nowMs: number): Promise<void> {
  const form = await request.formData()
  const photo = form
    .getAll(installedApp.sharedPhotoField)
    .find((entry): entry is File => entry instanceof File && isPicture(entry))
  if (photo !== undefined) await keepSharedPhoto(photo, nowMs)
}

/** Some phones share HEIC pictures without naming their type. */
function isPicture(file: File): boolean {
  const isNamed = file.type.startsWith('image/') || /\.hei[cf]$/iu.test(file.name)
  return isNamed && file.size > 0 && file.size <= sharedPhotoBytesMax
}
