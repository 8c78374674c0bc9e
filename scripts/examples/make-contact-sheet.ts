import sharp from 'sharp'
import { shippedPresets } from '../../server/src/stars/presets.ts'
import { people } from './example-list.ts'
import type { Photographer } from './open-photographer.ts'

const tile = { width: 400, height: 500 }
const labelHeight = 32

/**
 * Every star beside every person: a row a star, a column a person, each with its names below. A
 * pair that the engine refuses shows why.
 * @param print what is said while it works
 * @returns JPEG, 400 × 532 pixels a pair
 */
export async function makeContactSheet(
  photographer: Photographer,
  print: (line: string) => void,
): Promise<Uint8Array> {
  const pairs = shippedPresets.flatMap((star) => people.map((person) => ({ person, star })))
  const tiles = []
  for (const [index, pair] of pairs.entries()) {
    const picture = await photographer.tryToPhotograph(pair)
    const left = (index % people.length) * tile.width
    const top = Math.floor(index / people.length) * (tile.height + labelHeight)
    const refusal = typeof picture === 'string' ? picture : ''
    tiles.push({
      input: label(`${pair.star} × ${pair.person} ${refusal}`),
      left,
      top: top + tile.height,
    })
    if (typeof picture !== 'string') {
      const small = await sharp(picture).resize(tile).png({ compressionLevel: 1 }).toBuffer()
      tiles.push({ input: small, left, top })
    }
    print(`${index + 1}/${pairs.length} ${pair.star} × ${pair.person} ${refusal}`)
  }
  const width = people.length * tile.width
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
