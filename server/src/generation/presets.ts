import { readFile, readdir } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type { CelebrityPreset } from '@starside/contract/generation.ts'
import type { Engine } from '@starside/engine/engine.ts'
import type { NormalisedPhoto } from '@starside/engine/image-provider.ts'
import { z } from 'zod'

const shippedPresetsFolder = fileURLToPath(new URL('../../presets/', import.meta.url))

/** The order in which the shipped presets are offered; an operator's own follow by name. */
const order = ['zuvia', 'haruven', 'olmira']

const presetFile = z.object({ name: z.string(), licence: z.string(), attribution: z.string() })

export interface Presets {
  list(): CelebrityPreset[]
  find(id: string): CelebrityPreset | undefined
  /** The picture shown to people, JPEG. */
  readPicture(id: string): Promise<Buffer | undefined>
  /** What the engine works on: the cut-out with its exact matte where there is one. */
  readPhoto(id: string): Promise<NormalisedPhoto>
}

/** Reads the presets' descriptions; their pictures are read when they are asked for. */
export async function loadPresets(
  engine: Engine,
  folder: string = shippedPresetsFolder,
): Promise<Presets> {
  const presets = await readDescriptions(folder)
  const photos = new Map<string, Promise<NormalisedPhoto>>()
  const find = (id: string) => presets.find((preset) => preset.id === id)

  async function normalisePhoto(id: string): Promise<NormalisedPhoto> {
    const cutout = await readFile(`${folder}/${id}/cutout.webp`).catch(() => undefined)
    return engine.normalise(cutout ?? (await readFile(`${folder}/${id}/picture.jpg`)))
  }

  return {
    list: () => presets,
    find,
    async readPicture(id) {
      return find(id) === undefined ? undefined : readFile(`${folder}/${id}/picture.jpg`)
    },
    async readPhoto(id) {
      if (find(id) === undefined) throw new Error(`there is no preset '${id}'`)
      const known = photos.get(id)
      if (known !== undefined) return known
      const loading = normalisePhoto(id)
      photos.set(id, loading)
      // A failed load is tried anew at the next request.
      loading.catch(() => photos.delete(id))
      return loading
    },
  }
}

function rank(id: string): number {
  return order.includes(id) ? order.indexOf(id) : order.length
}

async function readDescriptions(folder: string): Promise<CelebrityPreset[]> {
  const entries = await readdir(folder, { withFileTypes: true })
  const ids = entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name)
  const ordered = ids.toSorted((a, b) => rank(a) - rank(b) || a.localeCompare(b))
  return Promise.all(
    ordered.map(async (id) => {
      const text = await readFile(`${folder}/${id}/preset.json`, 'utf8')
      return { id, ...presetFile.parse(JSON.parse(text)), image: `/api/presets/${id}.jpg` }
    }),
  )
}
