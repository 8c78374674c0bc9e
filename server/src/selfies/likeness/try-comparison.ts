import type { ImageSettings } from '../providers/image-settings.ts'
import { faceNetworkInstallation, openFaceComparison } from './face-comparison.ts'
import type { FaceComparison } from './face-comparison.ts'

/** Whether there is anything to compare. */
export function comparesFaces({ images }: { readonly images: ImageSettings }): boolean {
  return images.likenessCheck && images.chain.some(({ provider }) => provider !== 'compositor')
}

/** What is wrong with the face network here; undefined where it runs. */
export async function findLikenessFault(open = openFaceComparison): Promise<string | undefined> {
  const { comparison, fault } = await tryComparison(open)
  comparison?.close()
  return fault
}

/** The comparison, or a sentence that says why there is none. */
export async function tryComparison(open = openFaceComparison): Promise<{
  comparison: FaceComparison | undefined
  fault: string | undefined
}> {
  try {
    return { comparison: await open(), fault: undefined }
  } catch (error) {
    const words = error instanceof Error ? error.message : String(error)
    const fault = words.includes('MODULE_NOT_FOUND')
      ? `its packages are missing: ${faceNetworkInstallation}`
      : `the face network does not run here: ${words}`
    return { comparison: undefined, fault }
  }
}
