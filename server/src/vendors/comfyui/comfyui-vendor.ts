import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { optionalText, optionalUrl, trimSlash } from '../../platform/settings/fields.ts'
import { SettingsError } from '../../platform/settings/settings-error.ts'
import { defineVendor, required } from '../image-vendor.ts'
import { readGraph } from './comfyui-graph.ts'
import type { TitledGraph } from './comfyui-graph.ts'
import { createComfyuiProvider } from './comfyui-provider.ts'

const shippedFolder = join(import.meta.dirname, '../../../comfyui-graphs')

export const comfyuiVendor = defineVendor({
  variables: { COMFYUI_BASE_URL: optionalUrl, COMFYUI_GRAPH_FOLDER: optionalText },
  knownHosts: {},
  configure({ COMFYUI_BASE_URL, COMFYUI_GRAPH_FOLDER: ownFolder }) {
    const baseUrl = required('comfyui', { COMFYUI_BASE_URL: trimSlash(COMFYUI_BASE_URL) })
    return {
      photosGoTo: baseUrl,
      isOwnServer: true,
      openProvider: (parts) =>
        createComfyuiProvider({
          baseUrl,
          graph: loadGraph(parts.card.model, ownFolder),
          newId: randomUUID,
          ...parts,
        }),
    }
  },
})

/** The operator's graph of that name, or ours. Throws `SettingsError` with all that is wrong. */
function loadGraph(name: string, ownFolder: string | undefined): TitledGraph {
  // A name is a model's, so that slashes are allowed elsewhere.
  if (!/^[\w.-]+$/.test(name)) throw new SettingsError(`comfyui:${name} is no name of a graph`)
  const folders = ownFolder === undefined ? [shippedFolder] : [ownFolder, shippedFolder]
  const found = folders.flatMap((folder) => readIfThere(join(folder, `${name}.json`)))[0]
  if (found === undefined) {
    throw new SettingsError(`comfyui:${name}: there is no ${name}.json in COMFYUI_GRAPH_FOLDER`)
  }
  const graph = readGraph(found)
  if (!('faults' in graph)) return graph
  throw new SettingsError(
    [`comfyui:${name}: its graph can’t be used:`, ...graph.faults].join('\n  '),
  )
}

function readIfThere(file: string): string[] {
  try {
    return [readFileSync(file, 'utf8')]
  } catch {
    return []
  }
}
