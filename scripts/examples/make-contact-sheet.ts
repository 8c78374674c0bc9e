import { sampleFaces } from '@starside/web/ui/example-list.ts'
import sharp from 'sharp'
import { shippedPresets } from '../../server/src/stars/presets.ts'
import type { Photographer } from './open-photographer.ts'

const tile = { width: 400, height: 500 }
const labelHeight = 32

/**
 * Every star (rows) beside every person (columns), with names, or why the engine refuses the pair.
 * @returns JPEG, 400 × 532 pixels a pair
 */
export async function makeContactSheet(
  photographer: Photographer,
  print: (line: string) => void,
): Promise<Uint8Array> {
  const pairs = shippedPresets.flatMap((star) => sampleFaces.map((face) => ({ face, star })))
  const tiles = []
  for (const [index, pair] of pairs.entries()) {
    const picture = await photographer.tryToPhotograph(pair)
    const left = (index % sampleFaces.length) * tile.width
    const top = Math.floor(index / sampleFaces.length) * (tile.height + labelHeight)
    const refusal = typeof picture === 'string' ? picture : ''
    tiles.push({
      input: label(`${pair.star} × ${pair.face} ${refusal}`),
      left,
      top: top + tile.height,
    })
    if (typeof picture !== 'string') {
      const small = await sharp(picture).resize(tile).png({ compressionLevel: 1 }).toBuffer()
      tiles.push({ input: small, left, top })
    }
    print(`${index + 1}/${pairs.length} ${pair.star} × ${pair.face} ${refusal}`)
  }
  const width = sampleFaces.length * tile.width
  const height = shippedPresets.length * (tile.height + labelHeight)
  return await sharp({ create: { width, height, channels: 3, background: '#ffffff' } })
    .composite(tiles)
    .jpeg({ quality: 86 })
    .toBuffer()
}

function label(text: string): Buffer {
  return Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" width="${tile.width}" height="${labelHeight}">` +
      `<text x="6" y="22" font-size="17" font-family="sans-serif">${text}</text></svg>`,
  )
}
