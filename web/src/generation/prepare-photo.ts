import { whileAdmittingBlobs } from '../api/trusted-types.ts'
import { askWorker } from '../ui/ask-worker.ts'
import { mayBeHeic } from '../ui/decode-image.ts'
import type { ScaledPhoto } from './scale-photo.ts'
// oxlint-disable-next-line import/default -- Vite makes the address out of the suffix.
import workerAddress from './scale-photo-worker.ts?worker&url'
import type { WorkerQuestion } from './scale-photo-worker.ts'

/** A photo ready for upload. */
export interface PreparedPhoto {
  file: File
  /** False when the browser could not read it: the file goes up as it is, for the server to judge. */
  readable: boolean
  widthPx: number | null
  heightPx: number | null
  /** Whether the file that was chosen has more pixels. */
  isShrunk?: boolean
}

/** The longer side of what goes up, and of what goes up once more where a face has few pixels in that. */
const sidePxMax = { usual: 2048, ofSmallFaces: 3000 }

/** Makes what is uploaded of any file: HEIC decoded, upright, scaled down, without metadata. */
export async function preparePhoto(
  file: File,
  size: keyof typeof sidePxMax = 'usual',
): Promise<PreparedPhoto> {
  const scaled = await scale(file, sidePxMax[size]).catch(() => null)
  if (scaled === null) return { file, readable: false, widthPx: null, heightPx: null }
  const { blob, ...measures } = scaled
  const name = `${file.name.replace(/\.[^.]*$/, '') || 'photo'}.jpg`
  return { file: new File([blob], name, { type: 'image/jpeg' }), readable: true, ...measures }
}

/** Scales a photo away from the page's own thread, HEIC decoded first; null where it can't be read. */
async function scale(file: File, sideMaxPx: number): Promise<ScaledPhoto | null> {
  const ask = (photo: Blob): Promise<ScaledPhoto | null> =>
    askWorker(workerAddress, [photo, sideMaxPx] satisfies WorkerQuestion)
  const scaled = await ask(file)
  if (scaled || !(await mayBeHeic(file))) return scaled
  const { heicTo } = await import('heic-to/csp')
  const decode = (): Promise<Blob> => heicTo({ blob: file, type: 'image/jpeg', quality: 0.95 })
  return await ask(await whileAdmittingBlobs(decode))
}
