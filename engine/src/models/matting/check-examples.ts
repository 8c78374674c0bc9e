import { readdir, readFile } from 'node:fs/promises'
import sharp from 'sharp'
import type { Compositor } from '../../compositor/compositor.ts'
import type { NormalisedPhoto } from '../../image-provider.ts'
import type { BytePlane } from '../../image/raster.ts'
import { mattingError } from './matting-error.ts'
import type { MattingError } from './matting-error.ts'
import type { MattingNetwork } from './matting-network.ts'

/** Rendered people with exact mattes; `engine/matting-check/README.md` says what they are. */
const folder = new URL('../../../matting-check/', import.meta.url)

/** How a network does on one example. */
export interface CheckedExample {
  name: string
  /** Of the built-in network alone, and with the other's opinion joined. */
  ours: MattingError
  joined: MattingError
  /** Of the other network alone, before any refinement. */
  theirs: MattingError
  /** What the network took for the photo. */
  tookMs: number
}

/**
 * Has a matting network judge the rendered people that come with the engine.
 * @param compositors one without the network and one with it
 * @throws Error where the network failed; its `onFault` has the sentence
 */
export async function checkExamples(
  network: MattingNetwork,
  compositors: { ours: Compositor; joined: Compositor },
  onChecked: (example: CheckedExample) => void,
): Promise<void> {
  const files = (await readdir(folder)).filter((file) => file.endsWith('.jpg')).toSorted()
  for (const file of files) {
    const photo = await readPhoto(new URL(file, folder))
    const name = file.replace('.jpg', '')
    const exact = await readMatte(new URL(`${name}-alpha.webp`, folder))
    const startMs = performance.now()
    const opinion = await network.matte(photo)
    const tookMs = performance.now() - startMs
    if (opinion === undefined) throw new Error('the network gives no matte')
    const [ours, joined] = [
      await compositors.ours.cutOut(photo),
      await compositors.joined.cutOut(photo),
    ]
    onChecked({
      name,
      ours: mattingError(ours.alpha, exact),
      joined: mattingError(joined.alpha, exact),
      theirs: mattingError(await resize(opinion, exact), exact),
      tookMs,
    })
  }
}

async function readPhoto(file: URL): Promise<NormalisedPhoto> {
  const bytes = await readFile(file)
  const { width, height } = await sharp(bytes).metadata()
  return { bytes, mediaType: 'image/jpeg', widthPx: width, heightPx: height, hasMatte: false }
}

async function readMatte(file: URL): Promise<BytePlane> {
  const { data, info } = await sharp(await readFile(file))
    .extractChannel(0)
    .raw()
    .toBuffer({ resolveWithObject: true })
  return { data, width: info.width, height: info.height }
}

async function resize(plane: BytePlane, { width, height }: BytePlane): Promise<BytePlane> {
  const raw = { width: plane.width, height: plane.height, channels: 1 } as const
  const data = await sharp(plane.data, { raw })
    .resize(width, height, { fit: 'fill' })
    .extractChannel(0)
    .raw()
    .toBuffer()
  return { data, width, height }
}
