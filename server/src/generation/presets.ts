import { readFile, readdir } from 'node:fs/promises'
import { join } from 'node:path'
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
  /** What hosted models work on: the whole picture with its own background. */
  readPortrait(id: string): Promise<NormalisedPhoto>
}

/** What an id of a preset looks like; it is also the name of its folder. */
export const presetIdPattern = /^[a-z0-9][a-z0-9-]{1,39}$/

/** Where an operator's own presets lie. */
export function presetsFolderOf(dataFolder: string): string {
  return join(dataFolder, 'presets')
}

/**
 * Reads the descriptions of the shipped presets and of the operator's own; their pictures are read
 * when they are asked for. An own preset of the same id takes a shipped one's place.
 */
export async function loadPresets(engine: Engine, dataFolder: string): Promise<Presets> {
  const described = new Map<string, DescribedPreset>()
  for (const folder of [shippedPresetsFolder, presetsFolderOf(dataFolder)]) {
    for (const preset of await readDescriptions(folder)) described.set(preset.id, preset)
  }
  const presets = [...described.values()].map(({ folder: _folder, ...preset }) => preset)
  const folderOf = (id: string) => described.get(id)?.folder ?? ''
  const photos = new Map<string, Promise<NormalisedPhoto>>()
  const portraits = new Map<string, Promise<NormalisedPhoto>>()
  const find = (id: string) => presets.find((preset) => preset.id === id)

  async function normalisePhoto(id: string): Promise<NormalisedPhoto> {
    const cutout = await readFile(join(folderOf(id), 'cutout.webp')).catch(() => undefined)
    return engine.normalise(cutout ?? (await readFile(join(folderOf(id), 'picture.jpg'))))
  }

  async function normalisePortrait(id: string): Promise<NormalisedPhoto> {
    return engine.normalise(await readFile(join(folderOf(id), 'picture.jpg')))
  }

  /** Keeps what was read; a failed load is tried anew at the next request. */
  function readOnce(
    kept: Map<string, Promise<NormalisedPhoto>>,
    id: string,
    load: (id: string) => Promise<NormalisedPhoto>,
  ): Promise<NormalisedPhoto> {
    const known = kept.get(id)
    if (known !== undefined) return known
    const loading = load(id)
    kept.set(id, loading)
    loading.catch(() => kept.delete(id))
    return loading
  }

  return {
    list: () => presets,
    find,
    async readPicture(id) {
      return find(id) === undefined ? undefined : readFile(join(folderOf(id), 'picture.jpg'))
    },
    async readPhoto(id) {
      if (find(id) === undefined) throw new Error(`there is no preset '${id}'`)
      return readOnce(photos, id, normalisePhoto)
    },
    async readPortrait(id) {
      if (find(id) === undefined) throw new Error(`there is no preset '${id}'`)
      return readOnce(portraits, id, normalisePortrait)
    },
  }
}

function rank(id: string): number {
  return order.includes(id) ? order.indexOf(id) : order.length
}

type DescribedPreset = CelebrityPreset & { folder: string }

async function readDescriptions(presetsFolder: string): Promise<DescribedPreset[]> {
  const entries = await readdir(presetsFolder, { withFileTypes: true }).catch(() => [])
  const ids = entries
    .filter((entry) => entry.isDirectory() && presetIdPattern.test(entry.name))
    .map((entry) => entry.name)
  const ordered = ids.toSorted((a, b) => rank(a) - rank(b) || a.localeCompare(b))
  return Promise.all(
    ordered.map(async (id) => {
      const folder = join(presetsFolder, id)
      const text = await readFile(join(folder, 'preset.json'), 'utf8')
      const description = presetFile.parse(JSON.parse(text))
      return { id, ...description, image: `/api/presets/${id}.jpg`, folder }
    }),
  )
}
