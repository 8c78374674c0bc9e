/**
 * Fills Node's compile cache while an image is built, as the program can't write into it there:
 *
 *     PORT=none NODE_COMPILE_CACHE=<folder> node server/src/app/start/fill-compile-cache.ts
 *
 * The folder's entries serve the same user, Node and kind of processor; others start without them.
 */
import { spawnSync } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { createEngineHost } from '@starside/engine/engine-host.ts'

// A second on a quiet machine, minutes where another kind of processor is emulated.
const loadTimeoutMs = 10 * 60_000

// With a port that is refused the program loads all its code and ends.
const main = fileURLToPath(new URL('../../main.ts', import.meta.url))
const program = spawnSync(process.execPath, [main], { encoding: 'utf8', timeout: loadTimeoutMs })
if (!program.stderr.includes('PORT')) {
  throw new Error(`The program did not load: ${program.error?.message ?? program.stderr}`)
}

// Looking at a photo needs all code of the engine's process.
const engine = createEngineHost()
const cutOut = await readFile(
  new URL('../../../presets/elena-vassandri/cutout.avif', import.meta.url),
)
const { faces } = (await engine.admit({ bytes: cutOut })).inspection
if (faces.length === 0) throw new Error('The engine found no face')
await engine.close()
