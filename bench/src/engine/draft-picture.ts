import { createRgb } from '@starside/engine/image/raster.ts'
import type { RgbImage } from '@starside/engine/image/raster.ts'
import { invertSimilarity } from '@starside/engine/image/warp.ts'
import type { JudgedPair } from './judge-figures.ts'

const backdrop = [178, 186, 196] as const

/**
 * A layout as a small picture: both small photos under their small mattes before one grey. It
 * costs a few milliseconds, shows places and borders, and nothing of edges and light.
 * @param width of the draft in pixels
 */
export function draftPicture({ user, star, layout, ...size }: JudgedPair, width: number): RgbImage {
  const perPixel = size.width / width
  const draft = createRgb(width, Math.round(size.height / perPixel))
  const people = {
    user: { ...user.reading, ...layout.user },
    star: { ...star.reading, ...layout.star },
  }
  const order = layout.front === 'user' ? [people.star, people.user] : [people.user, people.star]
  const layers = order.map((person) => ({ ...person, toPhoto: invertSimilarity(person.toPicture) }))
  for (let y = 0, out = 0; y < draft.height; y++) {
    for (let x = 0; x < width; x++, out += 3) {
      draft.data.set(backdrop, out)
      for (const { toPhoto, stretch, silhouette, small } of layers) {
        const px = (x + 0.5) * perPixel
        let py = (y + 0.5) * perPixel
        if (stretch && py > stretch.fromRow) {
          const longer = (size.height - stretch.fromRow) / (stretch.photoEnd - stretch.fromRow)
          py = stretch.fromRow + (py - stretch.fromRow) / longer
        }
        const u = Math.floor((toPhoto.a * px - toPhoto.b * py + toPhoto.tx) / silhouette.maskScale)
        const v = Math.floor((toPhoto.b * px + toPhoto.a * py + toPhoto.ty) / silhouette.maskScale)
        if (u < 0 || v < 0 || u >= small.width || v >= small.height) continue
        const at = v * small.width + u
        const share = silhouette.mask.data[at]! / 255
        for (let c = 0; c < 3; c++) {
          draft.data[out + c]! += (small.data[at * 3 + c]! - draft.data[out + c]!) * share
        }
      }
    }
  }
  return draft
}
