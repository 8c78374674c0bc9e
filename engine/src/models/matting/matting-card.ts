import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { pipeline } from 'node:stream/promises'

/** What a file `<model>.card.json` says about the matting network beside it. */
export interface MattingCard {
  name: string
  /** Its input: float32, batch 1, channels first. */
  input: {
    name: string
    /** One size that photos are stretched to, or a short side and what both sides divide by. */
    size: { width: number; height: number } | { shortSide: number; multipleOf: number }
    /** Channel by channel, of levels 0…1: (level − mean) / deviation. */
    mean: Triple
    deviation: Triple
    channels: 'rgb' | 'bgr'
  }
  /** Its output: float32, one plane. */
  output: {
    name: string
    /** `probability` is 0…1 as it comes, `logit` before the logistic function. */
    values: 'probability' | 'logit'
  }
  licence: string
  source: string
  /** Of the ONNX file, 64 hexadecimal digits. */
  sha256: string
}

type Triple = readonly [number, number, number]

/** A matting network that can't be used; its words are a sentence for the operator. */
export class MattingModelError extends Error {}

const sidePxMin = 64
const sidePxMax = 2048
const cardBytesMax = 16_384

const packages = createRequire(new URL('../../../matting-network/package.json', import.meta.url))

/** The operator's installation of onnxruntime-node. @throws MattingModelError where it lacks */
export function requireOnnxRuntime(): unknown {
  try {
    return packages('onnxruntime-node')
  } catch (error) {
    throw new MattingModelError(
      error instanceof Error && 'code' in error && error.code === 'MODULE_NOT_FOUND'
        ? 'MATTING_MODEL needs its packages: npm ci --ignore-scripts --prefix engine/matting-network'
        : `onnxruntime-node does not run on this machine: ${wordsOf(error)}`,
    )
  }
}

/**
 * Checks everything about a network that can be checked without running it: its card, its bytes,
 * its packages.
 * @param file the ONNX file; its card lies beside it
 * @throws MattingModelError
 */
export async function checkMattingModel(file: string): Promise<MattingCard> {
  const card = await readMattingCard(file)
  const sha256 = await hashOf(file)
  if (card.sha256 === undefined) {
    throw new MattingModelError(
      `${cardFileOf(file)} has no sha256: if you trust where ${file} came from, write "sha256": "${sha256}" into it`,
    )
  }
  if (sha256 !== card.sha256) {
    throw new MattingModelError(
      `${file} has SHA-256 ${sha256}, but its card says ${card.sha256}: it is another file or damaged`,
    )
  }
  try {
    packages.resolve('onnxruntime-node')
  } catch {
    requireOnnxRuntime()
  }
  return { ...card, sha256: card.sha256 }
}

async function hashOf(file: string): Promise<string> {
  const hash = createHash('sha256')
  try {
    await pipeline(createReadStream(file), hash)
  } catch (error) {
    throw new MattingModelError(`${file} can't be read: ${wordsOf(error)}`)
  }
  return hash.digest('hex')
}

/** `model.onnx` has its card in `model.card.json`. */
export function cardFileOf(file: string): string {
  return `${file.replace(/\.onnx$/i, '')}.card.json`
}

type UncheckedCard = Omit<MattingCard, 'sha256'> & { sha256: string | undefined }

async function readMattingCard(file: string): Promise<UncheckedCard> {
  const cardFile = cardFileOf(file)
  let text: string
  try {
    text = await readFile(cardFile, 'utf8')
  } catch (error) {
    throw new MattingModelError(
      `The card ${cardFile} can't be read: ${wordsOf(error)}; docs/operations/matting.md says what it holds`,
    )
  }
  try {
    if (text.length > cardBytesMax) throw new Error(`it has more than ${cardBytesMax} characters`)
    return readCard(objectOf(JSON.parse(text), 'the card'))
  } catch (error) {
    throw new MattingModelError(
      `The card ${cardFile} is wrong: ${wordsOf(error)}; docs/operations/matting.md says what it holds`,
    )
  }
}

function readCard(card: Fields): UncheckedCard {
  const input = objectOf(card['input'], 'input')
  const output = objectOf(card['output'], 'output')
  const sha256 = card['sha256'] == null ? undefined : textOf(card, 'sha256').toLowerCase()
  if (sha256 !== undefined && !/^[\da-f]{64}$/.test(sha256)) {
    throw new Error('sha256 must be 64 hexadecimal digits, or null while nobody has seen it')
  }
  return {
    name: textOf(card, 'name'),
    input: {
      name: textOf(input, 'name'),
      size: sizeOf(objectOf(input['size'], 'input.size')),
      mean: tripleOf(input, 'mean', { from: -1, to: 1 }),
      deviation: tripleOf(input, 'deviation', { from: 0.001, to: 255 }),
      channels: choiceOf(input, 'channels', ['rgb', 'bgr']),
    },
    output: {
      name: textOf(output, 'name'),
      values: choiceOf(output, 'values', ['probability', 'logit']),
    },
    licence: textOf(card, 'licence'),
    source: textOf(card, 'source'),
    sha256,
  }
}

type Fields = Readonly<Record<string, unknown>>

function objectOf(value: unknown, what: string): Fields {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return { ...value }
  throw new Error(`${what} must be an object`)
}

function textOf(fields: Fields, name: string): string {
  const value = fields[name]
  if (typeof value === 'string' && value !== '' && value.length <= 300) return value
  throw new Error(`${name} must be a text`)
}

function numberOf(value: unknown, name: string, range: { from: number; to: number }): number {
  if (typeof value === 'number' && value >= range.from && value <= range.to) return value
  throw new Error(`${name} must be a number from ${range.from} to ${range.to}`)
}

function tripleOf(fields: Fields, name: string, range: { from: number; to: number }): Triple {
  const value: unknown = fields[name]
  if (!Array.isArray(value) || value.length !== 3) throw new Error(`${name} must be three numbers`)
  const [first, second, third] = value.map((one) => numberOf(one, name, range))
  return [first!, second!, third!]
}

function choiceOf<Choice extends string>(
  fields: Fields,
  name: string,
  choices: readonly Choice[],
): Choice {
  const chosen = choices.find((choice) => choice === fields[name])
  if (chosen !== undefined) return chosen
  throw new Error(`${name} must be ${choices.join(' or ')}`)
}

function sizeOf(size: Fields): MattingCard['input']['size'] {
  const sides = { from: sidePxMin, to: sidePxMax }
  const side = (name: string): number => Math.round(numberOf(size[name], `size.${name}`, sides))
  if ('shortSide' in size) {
    const multipleOf = Math.round(
      numberOf(size['multipleOf'], 'size.multipleOf', { from: 1, to: 128 }),
    )
    return { shortSide: side('shortSide'), multipleOf }
  }
  return { width: side('width'), height: side('height') }
}

export function wordsOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
