import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { projectFolder } from './project-folder.js'
import {
  bannedWords,
  bannedWordsExceptions,
  containerFiles,
  environmentReaders,
  importRules,
  machineTexts,
  runByNode,
} from './tidy-rules.ts'

const { openActs, roomOf, serverRooms, webFeatures, webMeetingPart, webSharedParts } = importRules

/** A file of the project: its path with `/`, relative to the project, and its text. */
export interface SourceFile {
  readonly path: string
  readonly text: string
}

/** Checks every tracked file against the project's own rules and prints what breaks them. */
export async function checkTidiness(folder = projectFolder): Promise<boolean> {
  const problems = (await readProject(folder)).flatMap(findProblems)
  for (const problem of problems) console.log(problem)
  return problems.length === 0
}

/** Every text file that git tracks or would track; at most 1 MB of each. */
export async function readProject(folder = projectFolder): Promise<SourceFile[]> {
  const { stdout } = await promisify(execFile)(
    'git',
    ['ls-files', '-z', '--cached', '--others', '--exclude-standard'],
    { cwd: folder, maxBuffer: 50_000_000 },
  )
  const files: SourceFile[] = []
  for (const file of new Set(stdout.split('\0'))) {
    const bytes = await readFile(path.join(folder, file)).catch(() => Buffer.from('\0'))
    const isText = !bytes.subarray(0, 8000).includes(0)
    if (isText) files.push({ path: file, text: bytes.subarray(0, 1_000_000).toString('utf8') })
  }
  return files
}

/** The rules a file breaks, one sentence each, with the place and what to do instead. */
export function findProblems(file: SourceFile): string[] {
  const found = [...findMachineTexts(file), ...findBannedWords(file)]
  if (file.path.endsWith('.md')) found.push(...findTitleProblems(file))
  if (/\.(?:ts|tsx|js)$/u.test(file.path)) {
    const code = { path: file.path, text: withoutComments(file.text) }
    found.push(
      ...findUnlistedPart(code),
      ...findImportProblems(code),
      ...findEnvironmentReads(code),
      ...findBarrel(code),
      ...findUsingDeclarations(code),
    )
  }
  return found.map((problem) => `${file.path}: ${problem}`)
}

function findMachineTexts({ path: file, text }: SourceFile): string[] {
  if (containerFiles.test(file)) return []
  return text
    .split('\n')
    .flatMap((line, index) =>
      machineTexts
        .filter(({ pattern }) => pattern.test(line))
        .map(
          ({ what }) =>
            `line ${index + 1} carries ${what}; write it so that it holds on every machine`,
        ),
    )
}

function findBannedWords({ path: file, text }: SourceFile): string[] {
  if (!/\.(?:ts|tsx|js|as|md|css)$/u.test(file) || bannedWordsExceptions.test(file)) return []
  return text.split('\n').flatMap((line, index) =>
    bannedWords
      .filter(({ pattern }) => pattern.test(line))
      .map(({ pattern, instead }) => {
        const word = pattern.exec(line)?.[0] ?? ''
        return `line ${index + 1} says '${word}'; write ${instead}`
      }),
  )
}

function findTitleProblems({ text }: SourceFile): string[] {
  const prose = text.replaceAll(/^(```|~~~)[\s\S]*?^\1/gmu, '')
  const titles = prose.split('\n').filter((line) => line.startsWith('# '))
  return titles.length === 1
    ? []
    : [`has ${titles.length} titles (lines that begin with '# '); a document has exactly one`]
}

function findImportProblems(file: SourceFile): string[] {
  const from = placeOf(file.path)
  return listImports(file).flatMap((target) => {
    const to = placeOf(target)
    if (isException(file.path, target)) return []
    if (
      !(to.workspace in importRules.workspaceImports) ||
      !(from.workspace in importRules.workspaceImports)
    )
      return []
    if (from.workspace !== to.workspace) return findWorkspaceProblem(file.path, from, to)
    if (from.part === to.part || from.part === undefined || to.part === undefined) return []
    if (isTest(file.path)) return []
    return from.workspace === 'server'
      ? findRoomProblem(from.part, to.part, target)
      : findFeatureProblem(from.part, to, target)
  })
}

function isException(file: string, target: string): boolean {
  return importRules.importExceptions.some(
    (exception) => exception.file === file && exception.mayImport.test(target),
  )
}

interface Place {
  readonly workspace: string
  /** The room of the server, or the feature or part of the web app. */
  readonly part: string | undefined
  readonly name: string
}

function placeOf(file: string): Place {
  const [workspace = '', source, folder = '', ...rest] = file.split('/')
  const isPart = (workspace === 'server' || workspace === 'web') && source === 'src'
  const beside = workspace === 'server' ? roomOf[folder] : undefined
  const part = rest.length > 0 ? folder : beside
  return { workspace, part: isPart ? part : undefined, name: path.posix.basename(file) }
}

/** A folder that no list names would be checked by nothing. */
function findUnlistedPart({ path: file }: SourceFile): string[] {
  const { workspace, part } = placeOf(file)
  if (part === undefined) return []
  const known =
    workspace === 'server'
      ? [...serverRooms, 'testing']
      : [...Object.keys(webFeatures), ...webSharedParts, webMeetingPart, 'assets']
  return known.includes(part)
    ? []
    : [`lies in ${part}, which no list of scripts/tidy-rules.ts names; say what it may import`]
}

function isTest(file: string): boolean {
  return /\.test\.tsx?$|(?:^|\/)test-[\w-]+\.tsx?$|^server\/src\/testing\//u.test(file)
}

function findWorkspaceProblem(file: string, from: Place, to: Place): string[] {
  const allowed = importRules.workspaceImports[from.workspace] ?? []
  const extra = isTest(file) ? importRules.workspaceImportsOfTests : []
  if ([...allowed, ...extra].includes(to.workspace)) return []
  const list = allowed.length === 0 ? 'none of ours' : `only ${allowed.join(' and ')}`
  return [
    `imports from ${to.workspace}, but ${from.workspace} imports ${list}; ` +
      'move what both need to where both may look, or pass it in',
  ]
}

function findRoomProblem(from: string, to: string, target: string): string[] {
  const rank = serverRooms.indexOf(from)
  if (rank < 0 || serverRooms.indexOf(to) > rank) return []
  return [
    `imports ${target}, but ${from} imports only rooms below it; ` +
      'name what is needed in its own parts.ts, or enqueue a job in the same transaction',
  ]
}

function findFeatureProblem(from: string, to: Place, target: string): string[] {
  const part = to.part ?? ''
  if (openActs.includes(target) || (!(part in webFeatures) && part !== webMeetingPart)) return []
  if (webSharedParts.includes(from)) {
    return [`imports ${target}, but ${from} knows no feature; pass in what it needs`]
  }
  const allowed = webFeatures[from]
  if (allowed === undefined) return []
  if (!allowed.includes(part)) {
    return [
      `imports ${target}, but ${from} doesn't import ${part}; ` +
        'join the two in app, or pass in what is needed',
    ]
  }
  return importRules.privateFiles.includes(to.name)
    ? [`imports ${target}; between features import the act, never queries or routes`]
    : []
}

/** The project's files that a file imports, as paths relative to the project. */
function listImports({ path: file, text }: SourceFile): string[] {
  const patterns = [
    /\b(?:import|export)\b[^'"`;]*?\bfrom\s*['"]([^'"\n]+)['"]/gu,
    /\bimport\s*\(\s*['"]([^'"\n]+)['"]/gu,
    /\bimport\s*['"]([^'"\n]+)['"]/gu,
  ]
  return patterns
    .flatMap((pattern) => [...text.matchAll(pattern)].map((match) => match[1] ?? ''))
    .flatMap((specifier) => resolveImport(file, specifier) ?? [])
}

function resolveImport(file: string, specifier: string): string | undefined {
  const own = /^@starside\/([\w-]+)\/(.+)$/u.exec(specifier)
  if (own !== null) return `${own[1]}/src/${own[2]}`
  if (!specifier.startsWith('.')) return undefined
  return path.posix.normalize(path.posix.join(path.posix.dirname(file), specifier))
}

function findEnvironmentReads({ path: file, text }: SourceFile): string[] {
  if (environmentReaders.some((reader) => reader.test(file)) || isTest(file)) return []
  return /\bprocess\.env\b/u.test(text)
    ? ['reads the environment; only server/src/config.ts does, so pass the setting in']
    : []
}

function findBarrel({ path: file, text }: SourceFile): string[] {
  const rest = text.replaceAll(
    /^\s*export\s+(?:type\s+)?(?:\*|\{[^}]*\})[^'"]*['"][^'"]+['"];?/gmu,
    '',
  )
  const onlyHandsOn = text.trim() !== '' && rest.trim() === ''
  return onlyHandsOn || /(?:^|\/)index\.tsx?$/u.test(file)
    ? ['is a barrel; import from the file that holds the thing, and name files for their act']
    : []
}

function findUsingDeclarations({ path: file, text }: SourceFile): string[] {
  return runByNode.test(file) && /^\s*(?:await\s+)?using\s+[\w$]+\s*=/mu.test(text)
    ? ["declares with `using`, which Node 22 can't run; use try and finally"]
    : []
}

/** Blanks comments out and leaves texts and line numbers as they are. */
function withoutComments(text: string): string {
  return text.replaceAll(
    /('(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\.)*`)|\/\*[\s\S]*?\*\/|(?<![:\\])\/\/[^\n]*/gu,
    (whole, literal: string | undefined) => literal ?? whole.replaceAll(/[^\n]/gu, ' '),
  )
}
