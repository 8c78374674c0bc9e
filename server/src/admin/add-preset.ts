import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { defaultLanguage, languages } from '@starside/contract/languages.ts'
import { presetCategories, retiredPresets } from '@starside/contract/preset-categories.ts'
import type { PresetCategory } from '@starside/contract/preset-categories.ts'
import { createCompositor } from '@starside/engine/compositor/compositor.ts'
import { makePresetFiles } from '@starside/engine/preset/make-preset-files.ts'
import type { PresetFiles } from '@starside/engine/preset/make-preset-files.ts'
import { normalisePhoto } from '@starside/engine/photo/normalise.ts'
import { PhotoError } from '@starside/engine/photo/photo-error.ts'
import { personIdPattern } from '../generation/person-files.ts'
import { presetFileNames, presetsFolderOf } from '../generation/presets.ts'
import type { PresetFile } from '../generation/presets.ts'
import type { PartsWithoutDatabase } from './admin-command.ts'

/** The languages in which a star's line may be translated, each with its option. */
const translations = languages
  .filter((language) => language !== defaultLanguage)
  .map((language) => ({ language, option: `line-${language}` }))

const options = {
  name: { type: 'string' },
  picture: { type: 'string' },
  licence: { type: 'string' },
  attribution: { type: 'string' },
  category: { type: 'string' },
  line: { type: 'string' },
  source: { type: 'string' },
  cutout: { type: 'string' },
  'ai-generated': { type: 'boolean', default: false },
} as const
const lineOptions = Object.fromEntries(
  translations.map(({ option }) => [option, { type: 'string' } as const]),
)

/** The options of `preset add`, for the list of commands. */
export const addPresetUsage =
  'ID --name NAME --picture FILE --licence LICENCE --attribution TEXT --category CATEGORY\n' +
  `      [--line TEXT ${translations.map(({ option }) => `[--${option} TEXT]`).join(' ')}] [--source ADDRESS]\n` +
  '      [--ai-generated] [--cutout FILE]'

/**
 * `preset add`: makes the cut-out and the thumbnails of a picture, writes them into the data folder
 * and names what it wrote, with a preview of the cut-out to look at.
 */
export async function addPreset(
  { config, print }: PartsWithoutDatabase,
  words: string[],
): Promise<number> {
  const read = readWords(words)
  if ('mistake' in read) {
    print(read.mistake)
    return 2
  }
  const { id, description, picture, cutout } = read
  const made = await makeFiles(picture, cutout)
  if ('refusal' in made) {
    print(made.refusal)
    return 1
  }
  const folder = join(presetsFolderOf(config.dataFolder), id)
  await mkdir(folder, { recursive: true })
  await writeFile(join(folder, 'preset.json'), `${JSON.stringify(description, null, 2)}\n`)
  for (const [part, name] of Object.entries(presetFileNames)) {
    const bytes = made[part as keyof PresetFiles]
    await writeFile(join(folder, name), bytes)
    print(`${join(folder, name)} (${Math.ceil(bytes.length / 1000)} kB)`)
  }
  print(`Look at ${presetFileNames.preview}: rims of the old background show best there.`)
  print(`'${description.name}' is offered after the next start.`)
  return 0
}

interface PresetWords {
  id: string
  description: PresetFile
  picture: string
  cutout: string | undefined
}

function readWords(words: string[]): PresetWords | { mistake: string } {
  let parsed
  try {
    parsed = parseArgs({
      args: words,
      allowPositionals: true,
      options: { ...options, ...lineOptions },
    })
  } catch (error) {
    return { mistake: error instanceof Error ? error.message : String(error) }
  }
  const { values, positionals } = parsed
  const [id = ''] = positionals
  if (!personIdPattern.test(id)) {
    return { mistake: 'The ID is 2 to 40 lower-case letters, digits and hyphens.' }
  }
  if (retiredPresets.some((retired) => retired.id === id)) {
    return { mistake: `'${id}' belongs to a star of an earlier version. Choose another ID.` }
  }
  const needed = ['name', 'picture', 'licence', 'attribution', 'category'] as const
  const missing = needed.filter((option) => !values[option]).map((option) => `--${option}`)
  const { name, picture, licence, attribution } = values
  if (!name || !picture || !licence || !attribution || missing.length > 0) {
    return { mistake: `A preset needs ${missing.join(', ')}.` }
  }
  const category = presetCategories.find((known) => known === values.category)
  if (category === undefined) {
    return { mistake: `The category is one of ${presetCategories.join(', ')}.` }
  }
  const { source, cutout, 'ai-generated': aiGenerated } = values
  const rights = { licence, attribution, ...(source === undefined ? {} : { source }), aiGenerated }
  return {
    id,
    description: {
      name,
      category: category satisfies PresetCategory,
      line: lineOf(values),
      ...rights,
    },
    picture,
    cutout,
  }
}

/** A line without a translation is told in the default language. */
function lineOf(values: Readonly<Record<string, unknown>>): PresetFile['line'] {
  const { line } = values
  if (typeof line !== 'string') return null
  const translated = translations.flatMap(({ language, option }) => {
    const text = values[option]
    return typeof text === 'string' ? [[language, text] as const] : []
  })
  return { [defaultLanguage]: line, ...Object.fromEntries(translated) }
}

async function makeFiles(
  pictureFile: string,
  cutoutFile: string | undefined,
): Promise<PresetFiles | { refusal: string }> {
  const compositor = await createCompositor({ threads: 1 })
  try {
    const photo = await normalisePhoto(await readFile(pictureFile))
    if (photo.mediaType !== 'image/jpeg') {
      return { refusal: 'The picture must be opaque; give a cut-out apart with --cutout.' }
    }
    const given =
      cutoutFile === undefined ? undefined : await normalisePhoto(await readFile(cutoutFile))
    if (given !== undefined && !given.hasMatte) {
      return { refusal: 'The cut-out has no transparent background.' }
    }
    return await makePresetFiles(compositor, photo, given)
  } catch (error) {
    if (error instanceof PhotoError) return { refusal: `The picture can't be used: ${error.code}.` }
    if (isFileError(error)) return { refusal: `${error.path} can't be read: ${error.code}.` }
    throw error
  } finally {
    await compositor.close()
  }
}

function isFileError(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && 'code' in error && 'path' in error
}
