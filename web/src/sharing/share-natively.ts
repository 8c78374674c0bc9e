import { isAbort } from '../api/api-error.ts'

/** True where the device's own share sheet takes picture files. */
export function canSharePictures(): boolean {
  if (typeof navigator.canShare !== 'function') return false
  const probe = new File([new Uint8Array(1)], 'selfie.jpg', { type: 'image/jpeg' })
  return navigator.canShare({ files: [probe] })
}

/**
 * Opens the device's share sheet with the picture itself. `file` must be at hand already: browsers
 * allow the sheet only for a few seconds after the tap. Giving up in the sheet is no failure.
 */
export async function shareNatively(file: File, text: string, url: string): Promise<void> {
  try {
    await navigator.share({ files: [file], text, url })
  } catch (error) {
    if (!isAbort(error)) throw error
  }
}
