import { sceneNames } from '@starside/contract/scenes.ts'
import { endingsOf } from './encode-picture-set.ts'
import {
  detailWidths,
  landingPairs,
  portraitWidths,
  resultWidths,
  sceneWidths,
} from './example-list.ts'
import type { FileWidths } from './example-list.ts'

/**
 * The typed index of the pages' example pictures.
 * @returns TypeScript for the web app's bundler
 */
export function writeExampleIndex(): string {
  const imports: string[] = []
  const picture = (file: string, widths: FileWidths): string => {
    const names = endingsOf(widths).map((ending) => {
      const name = nameOf(file + ending)
      imports.push(`import ${name} from './${file}${ending}'`)
      return name
    })
    const sources = widths.avif.map((width, index) => `\${${names[index]}} ${width}w`).join(', ')
    const height = widths.jpeg * 1.25
    return `{ avif: \`${sources}\`, jpeg: ${names.at(-1)}, width: ${widths.jpeg}, height: ${height} }`
  }
  const examples = Object.entries(landingPairs).map(([name, { person, star }]) =>
    [
      '  {',
      `    name: '${name}',`,
      `    person: '${person}',`,
      `    star: '${star}',`,
      `    you: ${picture(`${name}/you`, portraitWidths)},`,
      `    starPhoto: ${picture(`${name}/star`, portraitWidths)},`,
      `    result: ${picture(`${name}/result`, resultWidths)},`,
      '  },',
    ].join('\n'),
  )
  const detail = picture('detail', detailWidths)
  const scenes = sceneNames.map(
    (scene) => `  '${scene}': ${picture(`scenes/${scene}`, sceneWidths)},`,
  )
  return `${header}
import type { SceneName } from '@starside/contract/scenes.ts'
${imports.join('\n')}

${types}
export const examples: readonly Example[] = [
${examples.join('\n')}
]

/** Hair against a background, cut out of a result. */
export const detail: ExamplePicture = ${detail}

/** What each scene looks like. */
export const sceneThumbnails: Record<SceneName, ExamplePicture> = {
${scenes.join('\n')}
}
`
}

const header =
  '// Written by `npm run examples`: pictures that the embedded compositor made, all 4:5.'

const types = `export interface ExamplePicture {
  /** For \`srcset\`. */
  avif: string
  /** For browsers without AVIF, and its size in pixels. */
  jpeg: string
  width: number
  height: number
}

export interface Example {
  name: string
  /** Ids of the person and of the star. */
  person: string
  star: string
  you: ExamplePicture
  starPhoto: ExamplePicture
  result: ExamplePicture
}

/** Results with the two photos that each was made of, the best first. */`

/** A variable's name for a file: `elena/you-240.avif` gives `elenaYou240Avif`. */
function nameOf(file: string): string {
  return file.replaceAll(/[^a-z0-9]+([a-z0-9])/gu, (_match, letter: string) => letter.toUpperCase())
}
