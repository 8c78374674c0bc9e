import { fork } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { minimalEnvironment } from '@starside/engine/engine-child.ts'
import { processFlags } from '@starside/engine/process-settings.ts'
import { SettingsError } from '@starside/server/settings/settings-error.ts'
import sharp from 'sharp'
import type { Turn, VariationsOrder, VariationsReport } from './engine/variations-child.ts'
import { median, quantile } from './page/figures.ts'
import { table } from './page/write-section.ts'
import type { Section } from './page/write-section.ts'

const preset = (id: string) =>
  fileURLToPath(new URL(`../../server/presets/${id}/picture.jpg`, import.meta.url))

/**
 * `npm run bench -- engine-variations [user photo] [star photo] [--rounds 8]`: a sheet of six, a further
 * picture of its layers and a preview, each in turns with the one picture that a selfie is, of two
 * photos that are scaled to 12 megapixels, with the invisible mark; and the memory that they take.
 */
export async function run(args: string[]): Promise<Section> {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: { rounds: { type: 'string', default: '8' } },
  })
  const rounds = Number(values.rounds)
  if (!Number.isInteger(rounds) || rounds < 2) throw new SettingsError('--rounds: 2 or more.')
  const [user = preset('henrik-solmark'), star = preset('zola-mbedane')] = positionals
  const files = await Promise.all([user, star].map((file) => readFile(resolve(file))))
  const photos = await Promise.all(files.map((file) => twelveMegapixels(file, false)))
  const progressive = await Promise.all(files.map((file) => twelveMegapixels(file, true)))
  // Fills the compile cache, which every start but the very first one finds.
  await inChild({ job: 'turns', photos, rounds: 1 })
  const { turns } = await inChild({ job: 'turns', photos, rounds: rounds + 1 })
  const peaks = {
    selfies: await inChild({ job: 'selfies', photos, rounds }),
    sheets: await inChild({ job: 'sheets', photos, rounds }),
    progressiveSelfies: await inChild({ job: 'selfies', photos: progressive, rounds }),
    progressiveSheets: await inChild({ job: 'sheets', photos: progressive, rounds }),
  }
  // The first of each loads code and models.
  const selfies = turns.selfie.slice(1)
  const presses = turns.press.slice(1)
  const row = (what: string, own: readonly Turn[], than: readonly Turn[], aim: string) => [
    what,
    `${median(wallsOf(own)).toFixed(0)} ms`,
    `${quantile(wallsOf(own), 0.95).toFixed(0)} ms`,
    (median(wallsOf(own)) / median(wallsOf(than))).toFixed(2),
    (median(cpusOf(own)) / median(cpusOf(than))).toFixed(2),
    aim,
  ]
  const memory = (what: string, { peakMb }: VariationsReport, aim: string) => [
    what,
    `${peakMb.toFixed(0)} MB`,
    (peakMb / peaks.selfies.peakMb).toFixed(2),
    aim,
  ]
  return {
    title: 'Several pictures of one credit',
    command: 'npm run bench -- engine-variations',
    lines: [
      ...table(
        ['What', 'Median', '95 %', 'Times the first', 'In CPU time', 'Aim'],
        [
          row('The one picture of two photos', selfies, selfies, ''),
          row('A sheet: six, the best at full size', turns.sheet.slice(1), selfies, 'at most 1.30'),
          row('A further one at full size', turns.further.slice(1), selfies, 'at most 350 ms'),
          row('A preview of 512 pixels', turns.preview.slice(4), selfies, '95 % at most 150 ms'),
        ],
      ),
      '',
      ...table(
        ['From the press to the sheet', 'Median', '95 %', 'Times the first', 'In CPU time', 'Aim'],
        [
          row('Photos that were never sent before', presses, presses, ''),
          row('Photos that were just checked', turns.pressKept.slice(1), presses, 'at most 0.60'),
        ],
      ),
      '',
      ...table(
        [`Peak memory over ${rounds}`, 'Resident', 'Times the one picture', 'Aim'],
        [
          memory('The one picture', peaks.selfies, ''),
          memory('Sheets', peaks.sheets, 'at most 1.15'),
          memory('The one picture of progressive JPEGs', peaks.progressiveSelfies, '400 MB'),
          memory('Sheets of progressive JPEGs', peaks.progressiveSheets, '400 MB'),
        ],
      ),
      '',
      'Two photos of 12 megapixels, taken in turns by one process after the other kind; reading the files is part of',
      'a picture and of a sheet. All have the invisible mark, as the server makes them.',
    ],
  }
}

function wallsOf(turns: readonly Turn[]): number[] {
  return turns.map(({ wallMs }) => wallMs)
}

function cpusOf(turns: readonly Turn[]): number[] {
  return turns.map(({ cpuMs }) => cpuMs)
}

/** The photo as a phone would have sent it. */
async function twelveMegapixels(file: Buffer, progressive: boolean): Promise<Buffer> {
  const { width, height } = await sharp(file).autoOrient().metadata()
  const scale = Math.sqrt(12_000_000 / (width * height))
  return await sharp(file)
    .autoOrient()
    .resize(Math.round(width * scale))
    .jpeg({ quality: 92, progressive })
    .toBuffer()
}

function inChild(order: VariationsOrder): Promise<VariationsReport> {
  return new Promise((done, failed) => {
    const child = fork(new URL('./engine/variations-child.ts', import.meta.url), [], {
      // As the engine's own process is started.
      env: minimalEnvironment(process.env),
      execArgv: [...processFlags],
      serialization: 'advanced',
    })
    child.on('message', (report: VariationsReport) => {
      done(report)
      child.disconnect()
    })
    child.on('error', failed)
    child.on('exit', (code) => failed(new Error(`The measured process ended with ${code}`)))
    child.send(order)
  })
}
