import { parseArgs } from 'node:util'
import { sceneNames, selfieAspects } from './image-provider.ts'
import type { Aspect, Scene } from './image-provider.ts'

/** What `npm run selfie -- --help` prints. */
export const help = `Puts the person of one photo and the star of another into one picture.

Usage: npm run selfie -- <your photo> <the star's photo> -o <picture>

Photos may be JPEG, PNG, WebP, AVIF or GIF. The picture is a JPEG, or a PNG when its name ends
in .png.

Options:
  -o, --output <file>   where the picture goes (needed)
  --scene <name>        ${sceneNames.join(', ')}
                        (taken from the prompt's words when it is left out, else own)
  --background <file>   a photo of a place to stand in, instead of a scene
  --aspect <ratio>      ${selfieAspects.join(', ')} (4:5)
  --high                1536 instead of 1024 pixels wide at 4:5
  --prompt <words>      what the picture should be like
  --no-watermark        without the brand mark
  --watermark <text>    text of the brand mark (localhost)
  --help                this text

Exit codes: 0 made, 1 failed, 2 called the wrong way, 3 a photo can't be used.`

/** The command was called the wrong way. */
export class UsageError extends Error {}

/** What the command line asks for. */
export interface SelfieArguments {
  userFile: string
  starFile: string
  outputFile: string
  scene: Scene | undefined
  backgroundFile: string | undefined
  aspect: Aspect
  resolution: 'standard' | 'high'
  prompt: string | undefined
  watermark: string | undefined
}

/** Throws a `UsageError` for wrong words. @returns undefined when help is asked for */
export function readArguments(args: string[]): SelfieArguments | undefined {
  const { values, positionals } = parse(args)
  if (values.help) return undefined
  const [userFile, starFile, ...rest] = positionals
  if (userFile === undefined || starFile === undefined || rest.length > 0) {
    throw new UsageError('Two photos are needed: yours and the star’s.')
  }
  if (values.output === undefined) throw new UsageError('Say where to write the picture with -o.')
  return {
    userFile,
    starFile,
    outputFile: values.output,
    scene: oneOf(sceneNames, values.scene, '--scene'),
    backgroundFile: values.background,
    aspect: oneOf(selfieAspects, values.aspect, '--aspect') ?? '4:5',
    resolution: values.high ? 'high' : 'standard',
    prompt: values.prompt,
    watermark: values['no-watermark'] ? undefined : values.watermark,
  }
}

function parse(args: string[]) {
  try {
    return parseArgs({
      args,
      allowPositionals: true,
      options: {
        output: { type: 'string', short: 'o' },
        scene: { type: 'string' },
        background: { type: 'string' },
        aspect: { type: 'string' },
        high: { type: 'boolean', default: false },
        prompt: { type: 'string' },
        watermark: { type: 'string', default: 'localhost' },
        'no-watermark': { type: 'boolean', default: false },
        help: { type: 'boolean', short: 'h', default: false },
      },
    })
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error))
  }
}

function oneOf<Choice extends string>(
  choices: readonly Choice[],
  value: string | undefined,
  option: string,
): Choice | undefined {
  const choice = choices.find((each) => each === value)
  if (value !== undefined && choice === undefined) {
    throw new UsageError(`${option} must be one of ${choices.join(', ')}.`)
  }
  return choice
}
