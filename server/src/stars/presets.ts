import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { presetCategories } from '@starside/contract/preset-categories.ts'
import { translatedLine } from '@starside/contract/presets.ts'
import type { CelebrityPreset } from '@starside/contract/presets.ts'
import type { Engine } from '@starside/engine/engine-calls.ts'
import type { NormalisedPhoto } from '@starside/engine/image-provider.ts'
import type { PresetFiles } from '@starside/engine/preset/make-preset-files.ts'
import { z } from 'zod'
import { keepNewest } from '../platform/keep-newest.ts'
import shippedPresets from './shipped-presets.json' with { type: 'json' }
import { listPersonFolders, picturesOf, readPublicPicture } from './person-files.ts'
import type { PersonFolder, PublicPicture } from './person-files.ts'

/** The presets that come with the program. */
const shippedPresetsFolder = fileURLToPath(new URL('../../presets/', import.meta.url))

/** The order of shipped presets, the specification's three first; own ones follow by name. */
export { default as shippedPresets } from './shipped-presets.json' with { type: 'json' }

/** `preset.json`; those of earlier versions have fewer fields, or ones that are ignored. */
const presetFile = z.object({
  name: z.string(),
  category: z.enum(presetCategories).default('other'),
  line: translatedLine.nullable().default(null),
  licence: z.string(),
  attribution: z.string(),
  source: z.string().optional(),
  aiGenerated: z.boolean().default(false),
  /** Whether the photo has the hint `tight_crop`; otherwise only a request for 9:16 finds out. */
  tightCrop: z.boolean().default(false),
})

/** What the files of a preset are called. */
export const presetFileNames = {
  picture: 'picture.jpg',
  cutout: 'cutout.avif',
  thumbnailAvif: 'thumbnail.avif',
  thumbnailJpeg: 'thumbnail.jpg',
  preview: 'preview.png',
} as const satisfies Record<keyof PresetFiles, string>

export interface Presets {
  list(): CelebrityPreset[]
  find(id: string): CelebrityPreset | undefined
  /** A picture shown to people, by the last part of its address. */
  readPicture(name: string): Promise<PublicPicture | undefined>
  /** What the engine works on: the cut-out where there is one. */
  readPhoto(id: string): Promise<NormalisedPhoto>
  /** What hosted models work on: the whole picture with its own background. */
  readPortrait(id: string): Promise<NormalisedPhoto>
}

/** Where an operator's own presets lie. */
export function presetsFolderOf(dataFolder: string): string {
  return join(dataFolder, 'presets')
}

/**
 * Reads the descriptions of the shipped presets and of the operator's own; their pictures are read
 * when they are asked for. An own preset of the same id takes a shipped one's place.
 */
export async function loadPresets(engine: Engine, dataFolder: string): Promise<Presets> {
  const folders = new Map<string, PersonFolder>()
  for (const parent of [shippedPresetsFolder, presetsFolderOf(dataFolder)]) {
    const found = await listPersonFolders(parent)
    for (const folder of found.toSorted((a, b) => rank(a.id) - rank(b.id))) {
      folders.set(folder.id, folder)
    }
  }
  const presets = await Promise.all([...folders.values()].map(describe))
  const readOnce = keepNewest<Promise<NormalisedPhoto>>()

  function readFirst(id: string, files: readonly string[]): Promise<NormalisedPhoto> {
    const preset = folders.get(id)
    if (preset === undefined) throw new Error(`there is no preset '${id}'`)
    const file = join(preset.folder, files.find((name) => preset.files.has(name)) ?? 'picture.jpg')
    return readOnce(file, async () => engine.normalise(await readFile(file)))
  }

  return {
    list: () => presets,
    find: (id) => presets.find((preset) => preset.id === id),
    readPicture: (name) => readPublicPicture([...folders.values()], name),
    readPhoto: async (id) => readFirst(id, cutoutFiles),
    readPortrait: async (id) => readFirst(id, []),
  }
}

/** The cut-out's names: today's, and the one of earlier versions. */
const cutoutFiles = ['cutout.avif', 'cutout.webp']

function rank(id: string): number {
  const index = shippedPresets.findIndex((shipped) => shipped === id)
  return index === -1 ? shippedPresets.length : index
}

async function describe(folder: PersonFolder): Promise<CelebrityPreset> {
  const text = await readFile(join(folder.folder, 'preset.json'), 'utf8')
  const { source: _source, ...description } = presetFile.parse(JSON.parse(text))
  return { id: folder.id, ...description, ...picturesOf('/api/presets', folder) }
}
