import { expect, it } from 'vitest'
import sharp from 'sharp'
import { mayCarryWriting } from './find-writing.ts'
import { buildPyramid } from '../image/pyramid.ts'
import { placeFace } from '../testing/test-face.ts'
import { paintPlane } from '../testing/test-images.ts'

const { head } = placeFace({ x: 256, y: 170 }, 160)
const person = paintPlane(128, 160, () => 1)

/** A shirt below the chin, with something drawn on it. */
async function shirt(drawing: string) {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="512" height="640">
    <linearGradient id="fold" x1="0" x2="1"><stop stop-color="#335" /><stop offset="1" stop-color="#88a" /></linearGradient>
    <rect width="512" height="640" fill="url(#fold)"/>${drawing}</svg>`
  const { data, info } = await sharp(Buffer.from(svg))
    .removeAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true })
  return buildPyramid({ data, width: info.width, height: info.height })
}

it.each([
  [
    'letters',
    '<text x="130" y="420" font-size="54" font-weight="bold" fill="#fff">MADRID</text>',
    true,
  ],
  [
    'small letters',
    '<text x="180" y="400" font-size="26" fill="#fff">illuminate the night</text>',
    true,
  ],
  ['nothing', '', false],
  [
    'a lapel and a tie',
    '<path d="M200 300 L256 500 L312 300 Z" fill="#fff"/><path d="M245 300 L267 300 L262 480 L250 480 Z" fill="#a00"/>',
    false,
  ],
])('clothes with %s', async (_, drawing, expected) => {
  expect(mayCarryWriting(await shirt(drawing), person, head)).toBe(expected)
})
