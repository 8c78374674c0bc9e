import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { medianTurn, runChild, twelveMegapixels } from './engine/run-child.ts'
import type { ChildReport, Turn } from './engine/run-child.ts'
import { table } from './page/write-section.ts'
import type { Section } from './page/write-section.ts'
import { readNumbers } from './read-numbers.ts'

const preset = (file: string) =>
  readFile(fileURLToPath(new URL(`../../server/presets/${file}`, import.meta.url)))

/**
 * `npm run bench -- engine-speed [--runs N]`: a photo of 12 megapixels and a shipped star, whose photo the
 * server has normalised once for all → a finished JPEG in a process of its own, against sharp decoding and
 * encoding the same files. On a busy machine rely on the ratios and the CPU times.
 */
export async function run(args: string[]): Promise<Section> {
  const { runs } = readNumbers(args, { runs: 20 })
  const photos = [
    await twelveMegapixels(await preset('henrik-solmark/picture.jpg')),
    await preset('elena-vassandri/cutout.avif'),
  ]
  // Fills the compile cache, which every start but the very first one finds.
  await runChild({ job: 'selfies', photos, rounds: 1 })
  const engine = await runChild({ job: 'selfies', photos, rounds: runs + 1 })
  const floor = await runChild({ job: 'floor', photos, rounds: runs + 1 })
  const [first, ...warm] = engine.turns.selfie
  const floorTurn = medianTurn(floor.turns.selfie.slice(1))
  const row = (what: string, turn: Turn, { peakMb }: ChildReport) => [
    what,
    `${turn.wallMs.toFixed(0)} ms`,
    `${turn.cpuMs.toFixed(0)} ms`,
    (turn.cpuMs / floorTurn.cpuMs).toFixed(1),
    `${peakMb.toFixed(0)} MB`,
  ]
  const memory = [0.1, 0.5, 1].map((part) => engine.memoryMb[Math.ceil(runs * part)] ?? 0)
  const slowest = Math.max(...warm.map(({ wallMs }) => wallMs))
  return {
    title: 'The engine’s speed',
    lines: [
      ...table(
        ['What', 'Wall', 'CPU', 'Times the floor in CPU', 'Peak memory'],
        [
          row('The engine’s first picture', first!, engine),
          row('The engine, median', medianTurn(warm), engine),
          row('The floor: sharp alone', floorTurn, floor),
        ],
      ),
      '',
      `Resident over ${runs} pictures: ${memory.map((mb) => mb.toFixed(0)).join(' → ')} MB; the slowest took ${slowest.toFixed(0)} ms.`,
    ],
  }
}
