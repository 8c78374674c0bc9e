import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type * as compositorModule from '@starside/engine/compositor/compositor.ts'
import type * as providerModule from '@starside/engine/image-provider.ts'
import type { NormalisedPhoto } from '@starside/engine/image-provider.ts'
import type * as normaliseModule from '@starside/engine/photo/normalise.ts'
import type sharpModule from 'sharp'
import type { PictureAnswer, PictureOrder } from './judged-engine.ts'

/** Makes pictures by the engine of the checkout that it is given, with that checkout's packages. */

const engine = join(process.argv[2]!, 'engine')
const load = async <Module>(file: string): Promise<Module> =>
  (await import(pathToFileURL(join(engine, 'src', file)).href)) as Module
const { createCompositor } = await load<typeof compositorModule>('compositor/compositor.ts')
const { normalisePhoto } = await load<typeof normaliseModule>('photo/normalise.ts')
const { sceneNames } = await load<typeof providerModule>('image-provider.ts')
const sharp = createRequire(join(engine, 'package.json'))('sharp') as typeof sharpModule

const compositor = await createCompositor()

async function make({ user, star, scene, seed }: PictureOrder): Promise<PictureAnswer> {
  const photos: NormalisedPhoto[] = []
  try {
    for (const file of [user, star]) photos.push(await normalisePhoto(await readFile(file)))
    const [userPhoto, photo] = photos as [NormalisedPhoto, NormalisedPhoto]
    const made = await compositor.generate({
      userPhoto,
      stars: [{ photo }],
      // Not every version has every scene.
      scene: sceneNames.includes(scene) ? scene : 'sunny-street',
      seed,
      aspect: '4:5',
      resolution: 'standard',
    })
    const raw = { width: made.widthPx, height: made.heightPx, channels: 3 as const }
    return { picture: await sharp(made.pixels, { raw }).png({ compressionLevel: 3 }).toBuffer() }
  } catch (error) {
    // A refusal is an error of that checkout's own class.
    if (error instanceof Error && 'code' in error && error.name === 'PhotoError') {
      return { refusal: String(error.code) }
    }
    throw error
  }
}

process.on('message', (order: PictureOrder) => {
  void make(order).then((answer) => process.send!(answer))
})
process.on('disconnect', () => void compositor.close())
