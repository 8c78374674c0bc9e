import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { sweptPrefixes } from '../../selfies/sweep.ts'
import { openTestApp } from '../../testing/open-test-app.ts'

/** The rows of the table that tells what is kept. */
async function readTable() {
  const page = await readFile(new URL('../../../../docs/trust.md', import.meta.url), 'utf8')
  const [, section = ''] = page.split('## What is kept, and how it goes\n')
  const rows = section
    .split('\n## ')[0]!
    .split('\n')
    .filter((line) => line.startsWith('| '))
  return rows.slice(1).map((row) => {
    const [, what = '', where = '', , deletes = '', exported = ''] = row
      .split('|')
      .map((cell) => cell.trim())
    const [tables = '', objects = ''] = where.split(/,? ?objects /)
    const words = (text: string) => [...text.matchAll(/`([a-z_]+)`/g)].map(([, word]) => word!)
    return { what, tables: words(tables), objects: words(objects), deletes, exported }
  })
}

async function readSchema() {
  const schema = await readFile(new URL('../../../schema.sql', import.meta.url), 'utf8')
  return [...schema.matchAll(/^create table (\w+) \(\n([^;]*)\);/gm)].map(([, name, body]) => ({
    name: name!,
    body: body!,
  }))
}

test('the table of what is kept names every table of the database once', async () => {
  const told = (await readTable()).flatMap(({ tables }) => tables)
  expect(told.toSorted()).toEqual((await readSchema()).map(({ name }) => name).toSorted())
})

test('it names every kind of object that is swept', async () => {
  const told = (await readTable()).flatMap(({ objects }) => objects)
  for (const prefix of sweptPrefixes) expect(told).toContain(prefix)
})

test('what goes with the account is what the database deletes with it', async () => {
  const schema = await readSchema()
  const gone = new Set(['users'])
  for (let size = 0; size < gone.size;) {
    size = gone.size
    for (const { name, body } of schema) {
      const parents = body.matchAll(/REFERENCES (\w+)\(\w+\) ON DELETE CASCADE/g)
      if ([...parents].some(([, parent]) => gone.has(parent!))) gone.add(name)
    }
  }
  const told = (await readTable())
    .filter(({ deletes }) => deletes.includes('with the account'))
    .flatMap(({ tables }) => tables)
  expect(told.toSorted()).toEqual([...gone].toSorted())
})

test('what is in the export is what a person gets', async () => {
  await using app = await openTestApp({ worker: false })
  const { token } = await app.register()
  const { body } = await app.call('/api/user?action=export', { token })
  const told = (await readTable()).flatMap(({ exported }) =>
    exported === 'no' ? [] : exported.split(', '),
  )
  const { success: _success, exportedAt: _at, ...parts } = body
  expect(Object.keys(parts.data ?? parts).toSorted()).toEqual(told.toSorted())
})
