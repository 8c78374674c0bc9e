import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import sharp from 'sharp'
import { drawScene } from '@starside/engine/compositor/background/draw-scene.ts'
import type { ShippedScene } from '@starside/engine/compositor/background/scene-definitions.ts'
import { estimateForeground } from '@starside/engine/compositor/matting/foreground-colour.ts'
import type { BytePlane } from '@starside/engine/image/raster.ts'
import type { NormalisedPhoto } from '@starside/engine/image-provider.ts'

/** A photo whose alpha is known, or a person with known alpha over another background. */
export interface ExactAlphaCase {
  name: string
  photoFile: string
  /** A picture whose alpha channel, or only channel, is the exact matte. */
  alphaFile: string
  /** What the person is set before: a file or a scene; undefined: the photo's own. */
  background: { file: string } | { scene: ShippedScene } | undefined
}

/** The size at which mattes are compared, so that numbers of different photos can be. */
const longSidePx = 1024

const scenes: readonly ShippedScene[] = ['city-night', 'sunny-street', 'red-carpet', 'studio']

/**
 * Finds the photos of a folder that have `<name>-alpha.png` or `<name>-cutout.png` beside them.
 * Each is measured as it is, before two scenes, and before a picture named `noface*`
 * of the same folder where there is one.
 */
export async function findExactAlphas(folder: string): Promise<ExactAlphaCase[]> {
  const files = (await readdir(folder)).toSorted()
  const photos = files.filter(
    (file) => /\.(?:jpe?g|png)$/i.test(file) && !/-(?:alpha|cutout)\.png$/i.test(file),
  )
  const empty = photos.filter((file) => file.startsWith('noface'))
  return photos.flatMap((photo, index) => {
    const name = photo.replace(/\.\w+$/, '')
    const alpha = [`${name}-alpha.png`, `${name}-cutout.png`].find((file) => files.includes(file))
    if (!alpha) return []
    const place = empty[index % Math.max(1, empty.length)]
    const backgrounds: [string, ExactAlphaCase['background']][] = [
      [name, undefined],
      ...[0, 1].map((step): [string, ExactAlphaCase['background']] => {
        const scene = scenes[(index + step) % scenes.length]!
        return [`${name} before ${scene}`, { scene }]
      }),
    ]
    if (place) backgrounds.push([`${name} before ${place}`, { file: join(folder, place) }])
    return backgrounds.map(([caseName, background]) => ({
      name: caseName,
      photoFile: join(folder, photo),
      alphaFile: join(folder, alpha),
      background,
    }))
  })
}

/** Reads a case, or composes it: own colours of the person over the background, by the alpha. */
export async function readExactAlpha(
  each: ExactAlphaCase,
): Promise<{ photo: NormalisedPhoto; alpha: BytePlane }> {
  const upright = await sharp(each.photoFile).autoOrient().removeAlpha().toBuffer()
  const { data: pixels, info } = await sharp(upright)
    .resize(longSidePx, longSidePx, { fit: 'inside', withoutEnlargement: true })
    .raw()
    .toBuffer({ resolveWithObject: true })
  const { width, height } = info
  const { hasAlpha } = await sharp(each.alphaFile).metadata()
  const alphaData = await sharp(each.alphaFile)
    .extractChannel(hasAlpha ? 3 : 0)
    .resize(width, height, { fit: 'fill' })
    .raw()
    .toBuffer()
  const alpha = { data: alphaData, width, height }
  if (each.background) {
    const background = await readBackground(each.background, width, height)
    estimateForeground({ data: pixels, width, height }, alpha, height * 0.3)
    for (let i = 0; i < alphaData.length; i++) {
      const share = alphaData[i]! / 255
      for (let c = 0; c < 3; c++) {
        const at = i * 3 + c
        pixels[at] = Math.round(pixels[at]! * share + background[at]! * (1 - share))
      }
    }
  }
  const bytes = await sharp(pixels, { raw: { width, height, channels: 3 } })
    .jpeg({ quality: 92, chromaSubsampling: '4:4:4' })
    .toBuffer()
  const photo: NormalisedPhoto = {
    bytes,
    mediaType: 'image/jpeg',
    widthPx: width,
    heightPx: height,
    hasMatte: false,
  }
  return { photo, alpha }
}

async function readBackground(
  background: { file: string } | { scene: ShippedScene },
  width: number,
  height: number,
): Promise<Uint8Array> {
  if ('file' in background) {
    return sharp(background.file)
      .autoOrient()
      .removeAlpha()
      .resize(width, height, { fit: 'cover' })
      .raw()
      .toBuffer()
  }
  const view = { scene: background.scene, seed: 1, side: 1, horizon: 0.4 } as const
  const { planes } = await drawScene(view, width, height)
  const pixels = new Uint8Array(width * height * 3)
  for (let i = 0; i < width * height; i++) {
    for (let c = 0; c < 3; c++) pixels[i * 3 + c] = planes[c]!.data[i]!
  }
  return pixels
}
