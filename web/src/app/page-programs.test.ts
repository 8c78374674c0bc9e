import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, it } from 'vitest'
import { keysOf } from '@starside/contract/keys-of.ts'
import { pages } from '@starside/contract/pages.ts'
import { pagePrograms } from './page-programs.tsx'

const src = path.resolve(import.meta.dirname, '..')

/** Where a page begins, by its name; what stands in the first script has its texts with it. */
const starts: Partial<Record<keyof typeof pages, string>> = {
  event: 'events/guest-page.tsx',
  kiosk: 'events/kiosk-page.tsx',
  wall: 'events/wall-page.tsx',
  moderation: 'events/team-pages.tsx',
  prints: 'events/team-pages.tsx',
  auth: 'auth/auth-page.tsx',
}

/** Whose texts the files that a file imports, directly or not, ask for without waiting. */
async function areasOf(file: string, seen = new Set<string>()): Promise<Set<string>> {
  const found = new Set<string>()
  if (seen.has(file)) return found
  seen.add(file)
  const text = await readFile(path.join(src, file), 'utf8')
  for (const [, area = ''] of text.matchAll(/\buseMessages\('(\w+)'\)/gu)) found.add(area)
  for (const [, target = ''] of text.matchAll(/^import [^'`]*'(\.[^']+\.tsx?)'/gmu)) {
    const next = path.join(path.dirname(file), target)
    for (const area of await areasOf(next, seen)) found.add(area)
  }
  return found
}

it.each(keysOf(starts))('the page %s loads the texts of all that it shows', async (name) => {
  const asked = await areasOf(starts[name]!)
  asked.delete('shell')
  const loaded: readonly string[] = pagePrograms[name].areas
  expect(asked.size).toBeGreaterThan(0)
  expect([...asked].filter((area) => !loaded.includes(area))).toEqual([])
})
