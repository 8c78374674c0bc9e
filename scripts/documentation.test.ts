import { existsSync } from 'node:fs'
import { readFile, readdir } from 'node:fs/promises'
import path from 'node:path'
import { expect, test } from 'vitest'
import { projectFolder } from './project-folder.js'
import { readProject } from './tidy.ts'

const docs = path.join(projectFolder, 'docs')

test('the index of docs/decisions lists each file once', async () => {
  const files = await listDecisions()
  const index = await readFile(path.join(docs, 'decisions', 'README.md'), 'utf8')
  const listed = [...index.matchAll(/\]\((\d{4}-[^)]+)\)/g)].map(([, file]) => file)
  expect(listed).toEqual(files.toSorted())
})

test('every decision that a file refers to by its number is in force', async () => {
  const inForce = new Set((await listDecisions()).map((file) => file.slice(0, 4)))
  const missing = (await readProject())
    .filter(({ path: file }) => !/^docs\/history\.md$|^CHANGELOG\.md$/.test(file))
    .flatMap(({ path: file, text }) =>
      [...text.matchAll(/[Dd]ecisions?\s+(0\d{3})(?:\s+and\s+(0\d{3}))?/g)].flatMap(
        ([, first, second]) => [first, second].map((number) => ({ file, number })),
      ),
    )
    .filter(({ number }) => number !== undefined && !inForce.has(number))
  expect(missing).toEqual([])
})

test('every link between the documents leads to a file, and to a heading that is there', async () => {
  const broken: string[] = []
  for (const page of await readPages()) {
    const text = await readFile(path.join(projectFolder, page), 'utf8')
    for (const [, target = ''] of text.matchAll(/\]\(([^)\s]+)\)/g)) {
      if (/^[a-z]+:/.test(target)) continue
      const [file = '', heading] = target.split('#')
      const linked = file === '' ? page : path.join(path.dirname(page), file)
      if (!existsSync(path.join(projectFolder, linked))) broken.push(`${page}: ${target}`)
      else if (heading !== undefined && !(await headings(linked)).includes(heading)) {
        broken.push(`${page}: ${target}`)
      }
    }
  }
  expect(broken).toEqual([])
})

const sourceFile = /^[\w-]+(?:\/[\w.-]+)*\.(?:ts|tsx|js|as|sql|css)$/
const sourceFolder =
  /^(?:contract|engine|server|web|sandbox|e2e|bench|deploy|scripts|docs)\/[\w/-]*\/$/

test('every file and folder of the project that a page names is there', async () => {
  const tracked = (await readProject()).map((file) => `/${file.path}`)
  const isThere = (named: string): boolean =>
    named.endsWith('/')
      ? tracked.some((file) => file.startsWith(`/${named}`))
      : tracked.some((file) => file.endsWith(`/${named}`))
  const missing: string[] = []
  // Decisions and the history tell of the files of their day.
  for (const page of (await readPages()).filter((file) => !/decisions|history/.test(file))) {
    for (const word of await wordsInBackticks(page)) {
      if (!sourceFile.test(word) && !sourceFolder.test(word)) continue
      if (!isThere(word)) missing.push(`${page}: ${word}`)
    }
  }
  expect(missing).toEqual([])
})

test('every story and test that docs/conformance.md names without its ending is there', async () => {
  const tracked = (await readProject()).map((file) => `/${file.path}`)
  const endings = ['.story.ts', '.test.ts', '.test.tsx']
  const text = await readFile(path.join(docs, 'conformance.md'), 'utf8')
  const missing = text
    .split('\n')
    .filter((line) => line.startsWith('|'))
    .map((row) => row.split(' | ').at(-1) ?? '')
    .flatMap((shownBy) => [...shownBy.matchAll(/`([a-z][\w-]*(?:\/[\w-]+)*)`/g)])
    .map(([, name = '']) => name)
    .filter(
      (name) => !tracked.some((file) => endings.some((end) => file.endsWith(`/${name}${end}`))),
    )
  expect(missing).toEqual([])
})

test('every sentence that docs/conformance.md quotes of a test stands in that test', async () => {
  const tests = (await readProject()).filter(({ path: file }) =>
    /\.(?:test|story)\.tsx?$/.test(file),
  )
  const text = await readFile(path.join(docs, 'conformance.md'), 'utf8')
  const missing: string[] = []
  let count = 0
  for (const row of text.split('\n').filter((line) => line.startsWith('| '))) {
    let named: typeof tests = []
    for (const part of (row.split(' | ').at(-1) ?? '').split(/(`[^`]+`)/)) {
      if (part.startsWith('`')) {
        named = tests.filter(({ path: file }) => isNamed(file, part.slice(1, -1)))
        continue
      }
      for (const words of named.length === 0 ? [] : quotedWords(part)) {
        count += 1
        if (named.some((file) => plainText(file.text).includes(words))) continue
        missing.push(`${named.map((file) => file.path).join(', ')}: ${words}`)
      }
    }
  }
  expect(missing).toEqual([])
  expect(count).toBeGreaterThan(100)
})

function isNamed(file: string, name: string): boolean {
  return ['', '.test.ts', '.test.tsx', '.story.ts'].some((end) =>
    `/${file}`.endsWith(`/${name}${end}`),
  )
}

/** The words that follow a test's name, without remarks in parentheses; two words may be anything. */
function quotedWords(part: string): string[] {
  return part
    .replaceAll(/\([^)]*\)?/g, '')
    .split(/[,;:…|]|\band\b/)
    .map((words) => plainText(words).trim())
    .filter((words) => words.split(' ').length > 2)
}

function plainText(text: string): string {
  return text
    .replaceAll("\\'", "'")
    .replaceAll(/[’‘]|\\u2019/g, "'")
    .replaceAll(/\s+/g, ' ')
    .toLowerCase()
}

async function listDecisions(): Promise<string[]> {
  return (await readdir(path.join(docs, 'decisions'))).filter((file) => /^\d{4}-/.test(file))
}

/** The project's pages, those in docs/ and those beside it. */
async function readPages(): Promise<string[]> {
  return [
    ...(await readdir(projectFolder)),
    ...(await readdir(docs, { recursive: true })).map((file) => path.join('docs', file)),
  ].filter((file) => file.endsWith('.md'))
}

/** What a page sets as code within its sentences and tables. */
async function wordsInBackticks(page: string): Promise<string[]> {
  const text = await readFile(path.join(projectFolder, page), 'utf8')
  const prose = text.replaceAll(/^```[\s\S]*?^```/gm, '')
  return [...prose.matchAll(/`([^`\n]+)`/g)].map(([, word = '']) => word)
}

/** The anchors of a page's headings, as GitHub makes them. */
async function headings(page: string): Promise<string[]> {
  const text = await readFile(path.join(projectFolder, page), 'utf8')
  return [...text.matchAll(/^#+ (.+)$/gm)].map(([, title = '']) =>
    title
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  )
}
