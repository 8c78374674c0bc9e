import { createModelProcess } from '@starside/engine/models/model-process.ts'
import type { ModelProcess } from '@starside/engine/models/model-process.ts'
import type { ImageSettings } from '../providers/image-settings.ts'

/** How far faces are from each other: 0 for the same photo, about 0.6 where strangers begin. */
export type FaceDistances = readonly (readonly number[])[]

/** How its process is started. */
export const faceNetworkProcess = {
  name: 'the face network',
  processFile: new URL('face-network-child.ts', import.meta.url),
}

/** The command that installs its packages. */
export const faceNetworkInstallation = 'npm ci --ignore-scripts --prefix server/face-network'

/** Compares faces, in a process of its own. */
export type FaceComparison = Awaited<ReturnType<typeof openFaceComparison>>

/** Starts the face network's process. Rejects when its packages are missing or don't run here. */
export async function openFaceComparison(
  network: ModelProcess<FaceDistances> = createModelProcess(faceNetworkProcess),
) {
  await network.start()
  return {
    /** Distances of crops of `Engine.cropFaces` to each other; rejects if the process is lost. */
    compare: (crops: readonly Uint8Array[], signal?: AbortSignal) =>
      network.ask(Buffer.concat(crops), signal),
    close: () => network.close(),
  }
}

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
