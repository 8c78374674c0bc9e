import { createHash } from 'node:crypto'
import { createInstrumenter } from '@stryker-mutator/instrumenter'
import { commonTokens } from '@stryker-mutator/api/plugin'
import { createInjector } from 'typed-inject'
import { assertionIgnorer } from './ignore-assertions.ts'
import { wrapSqlConditions } from './wrap-sql-conditions.ts'

/** One change to the code that a test should notice. */
export interface Mutant {
  /** How the code that was made refers to it; the same for as long as the file is. */
  readonly id: string
  /** The source file, relative to the project. */
  readonly file: string
  readonly line: number
  /** What stands there, and what the mutant makes of it; on one line each. */
  readonly original: string
  readonly replacement: string
}

/** A source file with all its mutants in it, each switched on by its id. */
export interface MutatedFile {
  readonly file: string
  /** Of the source as it was, hexadecimal. */
  readonly sha256: string
  readonly code: string
  readonly mutants: readonly Mutant[]
}

const levels = ['Trace', 'Debug', 'Info', 'Warn', 'Error', 'Fatal']
const silentLog: Record<string, () => boolean> = Object.fromEntries(
  levels.flatMap((level) => [
    [level.toLowerCase(), () => false],
    [`is${level}Enabled`, () => false],
  ]),
)

/**
 * Puts all mutants of the files into their code, with StrykerJS's instrumenter and our own of SQL.
 * Sentences are not changed: tests look at them where the specification fixes them.
 */
export async function makeMutants(
  sources: readonly { file: string; text: string }[],
): Promise<MutatedFile[]> {
  const instrumenter = createInjector()
    .provideValue(commonTokens.logger, silentLog as never)
    .provideValue(commonTokens.getLogger, (() => silentLog) as never)
    .injectFunction(createInstrumenter)
  const made: MutatedFile[] = []
  for (const { file, text } of sources) {
    const name = file.replace(/^server\/src\//u, '')
    const { code: wrapped, conditions } = wrapSqlConditions(text, (index) => `${name}:q${index}`)
    const { files, mutants } = await instrumenter.instrument(
      [{ name: file, content: wrapped, mutate: true }],
      { plugins: null, ignorers: [assertionIgnorer], excludedMutations: ['StringLiteral'] },
    )
    const lines = wrapped.split('\n')
    const ofCode = mutants
      .filter(({ status, statusReason }) => status === undefined && statusReason === undefined)
      .map(({ id, replacement, location }) => ({
        id: `${name}:m${id}`,
        file,
        line: location.start.line + 1,
        original: oneLine(sliceOf(lines, location)),
        replacement: oneLine(replacement),
      }))
      .filter(({ original }) => !isOurs(original))
    const ofSql = conditions.map(({ text: original, line }, index) => ({
      id: `${name}:q${index}`,
      file,
      line,
      original,
      replacement: '(left out)',
    }))
    made.push({
      file,
      sha256: createHash('sha256').update(text).digest('hex'),
      code: allowSeveral(nameIds(String(files[0]?.content), name)),
      mutants: [...ofCode, ...ofSql],
    })
  }
  return made
}

/** Each file counts its mutants from 0. */
function nameIds(code: string, name: string): string {
  return code.replaceAll(
    /(stry(?:MutAct|Cov)_9fa48)\(("[^)]*)\)/gu,
    (_call, callee: string, ids: string) =>
      `${callee}(${ids.replaceAll(/"(\d+)"/gu, (_id, id: string) => `"${name}:m${id}"`)})`,
  )
}

/** StrykerJS switches on one mutant at a time. */
function allowSeveral(code: string): string {
  return code.replace('ns.activeMutant === id', 'ns.activeMutants.has(id)')
}

interface Position {
  readonly line: number
  readonly column: number
}

function sliceOf(lines: readonly string[], { start, end }: { start: Position; end: Position }) {
  const part = lines.slice(start.line, end.line + 1)
  part[part.length - 1] = part.at(-1)?.slice(0, end.column) ?? ''
  part[0] = part[0]?.slice(start.column) ?? ''
  return part.join(' ')
}

/** What wrapping SQL conditions added is no code of the project. */
function isOurs(original: string): boolean {
  return original.startsWith('keepsSqlCondition(') || original.startsWith('(sqlQuery) =>')
}

function oneLine(text: string): string {
  return text
    .replaceAll(/\.\$if\(keepsSqlCondition\("[^"]*"\), \(sqlQuery\) => sqlQuery/gu, '')
    .replaceAll(/\s+/gu, ' ')
    .trim()
}
