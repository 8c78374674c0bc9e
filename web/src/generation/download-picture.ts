import { saveBlob } from '../ui/save-blob.ts'

/** `celebrity-selfie-{timestamp}.png`, the specification's file name. */
export function downloadFileName(nowMs: number): string {
  return `celebrity-selfie-${nowMs}.png`
}

/**
 * Fetches a picture and hands it to the browser as a file to save.
 * Throws 'Image URL is required' and 'Failed to download image: {reason}'.
 */
export async function downloadPicture(imageUrl: string | null, fileName: string): Promise<void> {
  if (!imageUrl) throw new Error('Image URL is required')
  let blob: Blob
  try {
    const response = await fetch(imageUrl)
    if (!response.ok) throw new Error(`${response.status} ${response.statusText}`.trim())
    blob = await response.blob()
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new Error(`Failed to download image: ${reason}`, { cause: error })
  }
  saveBlob(blob, fileName)
}
