import { readFile } from 'node:fs/promises'
import { medianTurn, runChild, twelveMegapixels } from './engine/run-child.ts'
import type { ChildReport, Turn } from './engine/run-child.ts'
import { quantile } from './page/figures.ts'
import { table } from './page/write-section.ts'
import type { Section } from './page/write-section.ts'
import { readNumbers } from './read-numbers.ts'

const preset = (id: string) =>
  readFile(new URL(`../../server/presets/${id}/picture.jpg`, import.meta.url))

/**
 * `npm run bench -- engine-variations [--rounds N]`: a sheet of six, a further picture of its layers and a
 * preview, each in turns with the one picture that a selfie is, of two photos that are scaled to 12
 * megapixels, with the invisible mark; and the memory that they take.
 */
export async function run(args: string[]): Promise<Section> {
  const { rounds } = readNumbers(args, { rounds: 8 })
  const files = [await preset('henrik-solmark'), await preset('zola-mbedane')]
  const photos = await Promise.all(files.map((file) => twelveMegapixels(file)))
  const progressive = await Promise.all(files.map((file) => twelveMegapixels(file, true)))
  // Fills the compile cache, which every start but the very first one finds.
  await runChild({ job: 'turns', photos, rounds: 1 })
  const { turns } = await runChild({ job: 'turns', photos, rounds: rounds + 1 })
  const selfies = await runChild({ job: 'selfies', photos, rounds })
  const memory = (what: string, { peakMb }: ChildReport, aim: string) => [
    what,
    `${peakMb.toFixed(0)} MB`,
    (peakMb / selfies.peakMb).toFixed(2),
    aim,
  ]
  // The first of each loads code and models.
  const one = turns.selfie.slice(1)
  const press = turns.press.slice(1)
  const columns = ['Median', '95 %', 'Times the first', 'In CPU time', 'Aim']
  return {
    title: 'Several pictures of one credit',
    lines: [
      ...table(
        ['What', ...columns],
        [
          row('The one picture of two photos', one, one, ''),
          row('A sheet: six, the best at full size', turns.sheet.slice(1), one, 'at most 1.30'),
          row('A further one at full size', turns.further.slice(1), one, 'at most 350 ms'),
          row('A preview of 512 pixels', turns.preview.slice(4), one, '95 % at most 150 ms'),
        ],
      ),
      '',
      ...table(
        ['From the press to the sheet', ...columns],
        [
          row('Photos that were never sent before', press, press, ''),
          row('Photos that were just checked', turns.pressKept.slice(1), press, 'at most 0.60'),
        ],
      ),
      '',
      ...table(
        [`Peak memory over ${rounds}`, 'Resident', 'Times the one picture', 'Aim'],
        [
          memory('The one picture', selfies, ''),
          memory('Sheets', await runChild({ job: 'sheets', photos, rounds }), 'at most 1.15'),
          memory(
            'The one picture of progressive JPEGs',
            await runChild({ job: 'selfies', photos: progressive, rounds }),
            '400 MB',
          ),
          memory(
            'Sheets of progressive JPEGs',
            await runChild({ job: 'sheets', photos: progressive, rounds }),
            '400 MB',
          ),
        ],
      ),
      '',
      'Two photos of 12 megapixels, taken in turns by one process after the other kind; reading the files is part of',
      'a picture and of a sheet. All have the invisible mark, as the server makes them.',
    ],
  }
}

function row(what: string, own: readonly Turn[], than: readonly Turn[], aim: string): string[] {
  const [mine, other] = [medianTurn(own), medianTurn(than)]
  const slow = quantile(
    own.map(({ wallMs }) => wallMs),
    0.95,
  )
  return [
    what,
    `${mine.wallMs.toFixed(0)} ms`,
    `${slow.toFixed(0)} ms`,
    (mine.wallMs / other.wallMs).toFixed(2),
    (mine.cpuMs / other.cpuMs).toFixed(2),
    aim,
  ]
}
