import { whileAdmittingBlobs } from '../api/trusted-types.ts'
import { askWorker } from '../ui/ask-worker.ts'
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

/** Scales a photo away from the page's own thread; null where the browser can't read it. */
async function scale(file: File, sideMaxPx: number): Promise<ScaledPhoto | null> {
  const head = new Uint8Array(await file.slice(0, fileHeadBytes).arrayBuffer())
  const question: WorkerQuestion = [isHeic(head) ? await decodeHeic(file) : file, sideMaxPx]
  return await askWorker(workerAddress, question)
}

async function decodeHeic(file: File): Promise<Blob> {
  const { heicTo } = await import('heic-to/csp')
  return await whileAdmittingBlobs(() => heicTo({ blob: file, type: 'image/jpeg', quality: 0.95 }))
}

const heicBrands = new Set(['heic', 'heix', 'hevc', 'hevx', 'heim', 'heis', 'hevm', 'hevs'])
const avifBrands = new Set(['avif', 'avis'])
/** As many bytes of a file as {@link isHeic} looks at. */
export const fileHeadBytes = 64

/**
 * True when a file's first bytes are HEIC: an ISO base media file (ISO/IEC 14496-12, `ftyp` box) of an
 * HEVC brand (ISO/IEC 23008-12), or `mif1`/`msf1` without an AVIF brand. Names and types are not trusted.
 */
export function isHeic(head: Uint8Array): boolean {
  if (head.length < 12 || ascii(head, 4) !== 'ftyp') return false
  const view = new DataView(head.buffer, head.byteOffset, head.byteLength)
  const boxEnd = Math.min(head.length, view.getUint32(0))
  const brands = [ascii(head, 8)]
  for (let at = 16; at + 4 <= boxEnd; at += 4) brands.push(ascii(head, at))
  if (brands.some((brand) => avifBrands.has(brand))) return false
  return brands.some((brand) => heicBrands.has(brand) || brand === 'mif1' || brand === 'msf1')
}

function ascii(bytes: Uint8Array, at: number): string {
  return String.fromCharCode(...bytes.subarray(at, at + 4))
}
