import { resolve } from 'node:path'
import { createCompositor } from '@starside/engine/compositor/compositor.ts'
import { checkExamples } from '@starside/engine/models/matting/check-examples.ts'
import type { CheckedExample } from '@starside/engine/models/matting/check-examples.ts'
import {
  MattingModelError,
  checkMattingModel,
} from '@starside/engine/models/matting/matting-card.ts'
import {
  mattingLimits,
  openMattingNetwork,
} from '@starside/engine/models/matting/matting-network.ts'
import type { AdminCommands, PartsWithoutDatabase } from './admin-command.ts'

/** A network pays whose opinion takes so much of the error away, and adds less than that. */
const worthMinPercent = 2
const worseMinPercent = 1

export const modelCommands: AdminCommands = {
  'model check': {
    usage: 'FILE',
    help: 'measures a matting network (ONNX, its card beside it) on exact mattes, before MATTING_MODEL switches it on',
    needsDatabase: false,
    run: checkModel,
  },
}

async function checkModel({ print }: PartsWithoutDatabase, words: string[]): Promise<number> {
  const [named] = words
  if (named === undefined || words.length > 1) {
    print('Name one ONNX file.')
    return 2
  }
  const file = resolve(named)
  try {
    const card = await checkMattingModel(file)
    print(`${card.name}, ${card.licence}, from ${card.source}`)
  } catch (error) {
    if (!(error instanceof MattingModelError)) throw error
    print(`${error.message}.`)
    return 1
  }
  let fault: string | undefined
  const onFault = (text: string | undefined): void => {
    fault = text
  }
  const network = openMattingNetwork({ file, onFault })
  const ours = await createCompositor({ threads: 1 })
  const joined = await createCompositor({ threads: 1, matting: network })
  const examples: CheckedExample[] = []
  print('\nError on rendered people  (mean over the photo / about edges)')
  print(`${' '.repeat(16)}built-in          alone             joined         time`)
  try {
    await checkExamples(network, { ours, joined }, (example) => {
      examples.push(example)
      print(describeExample(example))
    })
  } catch (error) {
    if (fault === undefined) throw error
    print(`It can't be used: ${fault}.`)
    return 1
  } finally {
    await Promise.all([ours.close(), joined.close()])
  }
  const mebibytes = Math.round(network.residentBytesMost / 1024 ** 2)
  print(
    `Its process took up to ${mebibytes} MiB; ${Math.round(mattingLimits.memoryLimitBytes / 1024 ** 2)} MiB and ${mattingLimits.timeLimitMs / 1000} s a photo stop it.`,
  )
  return printVerdict(examples, file, print)
}

const columns = ['ours', 'theirs', 'joined'] as const

function describeExample({ name, tookMs, ...errors }: CheckedExample): string {
  const cells = columns.map((column) => {
    const { mad, edgeMad } = errors[column]
    return `${mad.toFixed(4)} / ${edgeMad.toFixed(4)}`
  })
  return `${name.padEnd(14)}  ${cells.join('   ')}  ${(tookMs / 1000).toFixed(1).padStart(5)} s`
}

function printVerdict(
  examples: readonly CheckedExample[],
  file: string,
  print: (line: string) => void,
): number {
  const mean = (column: (typeof columns)[number], error: 'mad' | 'edgeMad'): number =>
    examples.reduce((sum, example) => sum + example[column][error], 0) / examples.length
  const change = (error: 'mad' | 'edgeMad'): number =>
    (mean('joined', error) / mean('ours', error) - 1) * 100
  const words = (percent: number): string =>
    `${Math.abs(percent).toFixed(1)} % ${percent < 0 ? 'less' : 'more'}`
  const [over, about] = [change('mad'), change('edgeMad')]
  print(
    `\nJoined with the built-in network: ${words(over)} error over the photo, ${words(about)} about edges.`,
  )
  if (Math.max(over, about) > worseMinPercent) {
    print('Leave it off: it makes mattes worse.')
    return 1
  }
  if (Math.min(over, about) > -worthMinPercent) {
    print(
      'Leave it off: it is not heard, as it contradicts what is certain, or it changes nothing.',
    )
    return 1
  }
  print(`Switch it on: MATTING_MODEL=${file}`)
  return 0
}
