import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { CelebrityPreset } from '@starside/contract/presets.ts'
import { createEngine } from '@starside/engine/engine.ts'
import type { Config } from '../config.ts'
import { personIdPattern } from '../generation/person-files.ts'
import { loadPresets, presetsFolderOf } from '../generation/presets.ts'
import { addPreset, addPresetUsage } from './add-preset.ts'
import type { AdminCommands } from './admin-command.ts'

export const presetCommands: AdminCommands = {
  'preset list': {
    usage: '',
    help: 'lists the stars that people can choose',
    needsDatabase: false,
    async run({ config, print }) {
      for (const { id, name, category, licence, attribution } of await readOffer(config)) {
        print(
          [
            id.padEnd(18),
            name.padEnd(20),
            category.padEnd(8),
            licence.padEnd(12),
            attribution,
          ].join(' '),
        )
      }
      return 0
    },
  },
  'preset add': {
    usage: addPresetUsage,
    help: 'offers a further star, cut out of its picture; you need the right to use the picture',
    needsDatabase: false,
    run: addPreset,
  },
  'preset remove': {
    usage: 'ID',
    help: 'takes a star that was added out of the offer',
    needsDatabase: false,
    async run({ config, print }, [id = '']) {
      if (!personIdPattern.test(id)) return 2
      await rm(join(presetsFolderOf(config.dataFolder), id), { recursive: true, force: true })
      print(`'${id}' is no longer offered after the next start.`)
      return 0
    },
  },
}

async function readOffer(config: Config): Promise<CelebrityPreset[]> {
  const engine = createEngine()
  try {
    return (await loadPresets(engine, config.dataFolder)).list()
  } finally {
    await engine.close()
  }
}
