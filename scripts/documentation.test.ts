import { existsSync } from 'node:fs'
import { readFile, readdir } from 'node:fs/promises'
import path from 'node:path'
import { expect, test } from 'vitest'
import { projectFolder } from './project-folder.js'

const docs = path.join(projectFolder, 'docs')

test.for(['decisions', 'research'])('the index of docs/%s lists each file once', async (name) => {
  const files = (await readdir(path.join(docs, name))).filter((file) => /^\d{4}-/.test(file))
  const index = await readFile(path.join(docs, name, 'README.md'), 'utf8')
  const listed = [...index.matchAll(/\]\((\d{4}-[^)]+)\)/g)].map(([, file]) => file)
  expect(listed).toEqual(files.toSorted())
})

test('every link between the documents leads to a file, and to a heading that is there', async () => {
  const pages = [
    ...(await readdir(projectFolder)),
    ...(await readdir(docs, { recursive: true })).map((file) => path.join('docs', file)),
  ].filter((file) => file.endsWith('.md'))
  const broken: string[] = []
  for (const page of pages) {
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
