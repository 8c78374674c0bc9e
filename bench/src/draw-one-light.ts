import { readFile } from 'node:fs/promises'
import sharp from 'sharp'
import type { HeadMeasure } from '@starside/engine/compositor/faces/measure-head.ts'
import type { RgbImage } from '@starside/engine/image/raster.ts'
import type { Coefficients } from '@starside/engine/compositor/relight/spherical-harmonics.ts'
import { evaluateBasis, sumBasis } from '@starside/engine/compositor/relight/spherical-harmonics.ts'
import { normalisePhoto } from '@starside/engine/photo/normalise.ts'
import { fitFace } from './engine/judge-faces.ts'
import { openStageProbe } from './engine/stage-probe.ts'
import type { StageProbe } from './engine/stage-probe.ts'

const side = 300

/**
 * `npm run bench -- draw-one-light <user> <star> <file>`: draws the user, the star, and the star in
 * the user's light, each above a ball under the light that was fitted to the face. Made for
 * docs/compositor.md.
 */
export async function run([userFile, starFile, target]: string[]): Promise<void> {
  if (!userFile || !starFile || !target) {
    throw new Error('npm run bench -- draw-one-light <user> <star> <file>')
  }
  const probe = await openStageProbe()
  try {
    const user = await readFace(probe, await decode(userFile))
    const starImage = await decode(starFile)
    const star = await readFace(probe, starImage)
    const photo = await normalisePhoto(await readFile(starFile))
    const plan = { towards: user.light, strength: 0.85, stopsMax: 1.5 }
    const { relit } = await probe.ask({ kind: 'relit', photo, plan })
    if (!relit) throw new Error(`${starFile} has no face`)
    const columns = [user, star, await readFace(probe, relit)]
    const tiles = await Promise.all(
      columns.map(async ({ image, head, light }, n) => [
        { input: await cropHead(image, head), left: n * side, top: 0 },
        { input: await drawBall(light), left: n * side, top: side },
      ]),
    )
    await sharp({
      create: { width: 3 * side, height: side * 1.5, channels: 3, background: '#2a2d33' },
    })
      .composite(tiles.flat())
      .jpeg({ quality: 82 })
      .toFile(target)
  } finally {
    await probe.close()
  }
}

interface LitFace {
  image: RgbImage
  head: HeadMeasure
  light: Coefficients
}

async function readFace(probe: StageProbe, image: RgbImage): Promise<LitFace> {
  const face = (await probe.ask({ kind: 'faces', image })).faces?.[0]
  if (!face) throw new Error('A photo has no face')
  return { image, head: face.head, light: fitFace(face).coefficients }
}

async function decode(file: string): Promise<RgbImage> {
  const { data, info } = await sharp((await normalisePhoto(await readFile(file))).bytes)
    .removeAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true })
  return { data, width: info.width, height: info.height }
}

async function cropHead({ data, width, height }: RgbImage, head: HeadMeasure): Promise<Buffer> {
  const reach = Math.min(Math.round(head.size * 1.7), width, height)
  const left = Math.round(Math.min(Math.max(head.centre.x - reach / 2, 0), width - reach))
  const top = Math.round(Math.min(Math.max(head.centre.y - reach * 0.55, 0), height - reach))
  return sharp(data, { raw: { width, height, channels: 3 } })
    .extract({ left, top, width: reach, height: reach })
    .resize(side, side)
    .png()
    .toBuffer()
}

/** A ball under a light, on the ground of the sheet. */
async function drawBall(light: Coefficients): Promise<Buffer> {
  const height = side / 2
  const radius = height * 0.42
  const pixels = Buffer.alloc(side * height * 3)
  const basis = new Float64Array(9)
  const middle = light.map((value, i) => (i === 0 ? 0 : value))
  for (let y = 0, at = 0; y < height; y++) {
    for (let x = 0; x < side; x++, at += 3) {
      const nx = (x + 0.5 - side / 2) / radius
      const ny = (height / 2 - y - 0.5) / radius
      const square = nx * nx + ny * ny
      if (square > 1) {
        pixels.set([42, 45, 51], at)
        continue
      }
      evaluateBasis(nx, ny, Math.sqrt(1 - square), basis, 0)
      const shade = Math.min(255, 150 * Math.exp(sumBasis(middle, basis, 0) / 2.2))
      pixels.fill(Math.round(shade), at, at + 3)
    }
  }
  return sharp(pixels, { raw: { width: side, height, channels: 3 } })
    .png()
    .toBuffer()
}
