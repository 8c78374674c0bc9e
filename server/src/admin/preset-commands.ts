import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { createEngine } from '@starside/engine/engine.ts'
import type { Engine } from '@starside/engine/engine.ts'
import { PhotoError } from '@starside/engine/photo/photo-error.ts'
import { loadPresets, presetIdPattern, presetsFolderOf } from '../generation/presets.ts'
import type { AdminCommands, PartsWithoutDatabase } from './admin-command.ts'

export const presetCommands: AdminCommands = {
  'preset list': {
    usage: '',
    help: 'lists the stars that people can choose',
    needsDatabase: false,
    async run({ config, print }) {
      const presets = await withEngine((engine) => loadPresets(engine, config.dataFolder))
      for (const { id, name, licence, attribution } of presets.list()) {
        print(`${id.padEnd(16)} ${name.padEnd(20)} ${licence.padEnd(12)} ${attribution}`)
      }
      return 0
    },
  },
  'preset add': {
    usage: 'ID --name NAME --picture FILE --licence LICENCE --attribution TEXT [--cutout FILE]',
    help: 'offers a further star; you need the right to use the picture',
    needsDatabase: false,
    run: addPreset,
  },
  'preset remove': {
    usage: 'ID',
    help: 'takes a star that was added out of the offer',
    needsDatabase: false,
    async run({ config, print }, [id = '']) {
      if (!presetIdPattern.test(id)) return 2
      await rm(join(presetsFolderOf(config.dataFolder), id), { recursive: true, force: true })
      print(`'${id}' is no longer offered after the next start.`)
      return 0
    },
  },
}

async function addPreset(
  { config, print }: PartsWithoutDatabase,
  words: string[],
): Promise<number> {
  const { values, positionals } = parseArgs({
    args: words,
    allowPositionals: true,
    options: {
      name: { type: 'string' },
      picture: { type: 'string' },
      licence: { type: 'string' },
      attribution: { type: 'string' },
      cutout: { type: 'string' },
    },
  })
  const [id = ''] = positionals
  const { name, picture, licence, attribution, cutout } = values
  if (!presetIdPattern.test(id)) {
    print('The ID is 2 to 40 lower-case letters, digits and hyphens.')
    return 2
  }
  if (!name || !picture || !licence || !attribution) {
    print('A preset needs --name, --picture, --licence and --attribution.')
    return 2
  }
  const pictureBytes = await readFile(picture)
  const cutoutBytes = cutout === undefined ? undefined : await readFile(cutout)
  const checked = await withEngine((engine) => checkPreset(engine, pictureBytes, cutoutBytes))
  if ('refusal' in checked) {
    print(checked.refusal)
    return 1
  }
  const folder = join(presetsFolderOf(config.dataFolder), id)
  await mkdir(folder, { recursive: true })
  await writeFile(join(folder, 'picture.jpg'), checked.picture)
  if (cutoutBytes !== undefined) await writeFile(join(folder, 'cutout.webp'), cutoutBytes)
  const description = { name, licence, attribution }
  await writeFile(join(folder, 'preset.json'), `${JSON.stringify(description, null, 2)}\n`)
  print(`'${name}' is offered after the next start.`)
  return 0
}

/** The picture as it may be shown, upright and bare of metadata, or why it can't be a preset. */
async function checkPreset(
  engine: Engine,
  picture: Uint8Array,
  cutout: Uint8Array | undefined,
): Promise<{ picture: Uint8Array } | { refusal: string }> {
  try {
    const photo = await engine.normalise(picture)
    const { refusals } = await engine.inspect(photo)
    if (refusals.length > 0)
      return { refusal: `The picture can't be used: ${refusals.join(', ')}.` }
    if (photo.mediaType !== 'image/jpeg') {
      return { refusal: 'The picture must be opaque; give a cut-out apart.' }
    }
    if (cutout !== undefined && !(await engine.normalise(cutout)).hasMatte) {
      return { refusal: 'The cut-out has no transparent background.' }
    }
    return { picture: photo.bytes }
  } catch (error) {
    if (error instanceof PhotoError) return { refusal: `The picture can't be used: ${error.code}.` }
    throw error
  }
}

async function withEngine<Result>(act: (engine: Engine) => Promise<Result>): Promise<Result> {
  const engine = createEngine()
  try {
    return await act(engine)
  } finally {
    await engine.close()
  }
}
