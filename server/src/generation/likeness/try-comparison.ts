import type { Config } from '../../config.ts'
import { faceNetworkInstallation, openFaceComparison } from './face-comparison.ts'
import type { FaceComparison } from './face-comparison.ts'

/** Whether there is anything to compare. */
export function comparesFaces({ images }: Pick<Config, 'images'>): boolean {
  return images.likenessCheck && images.chain.some(({ provider }) => provider !== 'compositor')
}

/** What is wrong with the face network here; undefined where it runs. */
export async function findLikenessFault(): Promise<string | undefined> {
  const { comparison, fault } = await tryComparison()
  comparison?.close()
  return fault
}

/** The comparison, or a sentence that says why there is none. */
export async function tryComparison(): Promise<{
  comparison: FaceComparison | undefined
  fault: string | undefined
}> {
  try {
    return { comparison: await openFaceComparison(), fault: undefined }
  } catch (error) {
    const words = error instanceof Error ? error.message : String(error)
    const fault = words.includes('MODULE_NOT_FOUND')
      ? `its packages are missing: ${faceNetworkInstallation}`
      : `the face network does not run here: ${words}`
    return { comparison: undefined, fault }
  }
}
