import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestDatabase } from '../../testing/open-test-database.ts'
import { deleteRows, findRow, findRows, insertRow, updateRows } from './rows.ts'

let db: Awaited<ReturnType<typeof openTestDatabase>>
beforeAll(async () => {
  db = await openTestDatabase(2)
})
afterAll(() => db[Symbol.asyncDispose]())

const add = (name: string, disabled_at: Date | null = null) =>
  insertRow(db.database, 'operators', { name, role: 'support', password_hash: 'x', disabled_at })

test('a row that is inserted is answered with its defaults, and found by its columns', async () => {
  const made = await add('ann')
  expect(made).toMatchObject({ name: 'ann', totp_secret: null, created_at: expect.any(Date) })
  expect(await findRow(db.database, 'operators', { id: made.id })).toEqual(made)
  expect(await findRow(db.database, 'operators', { name: 'nobody' })).toBeUndefined()
})

test('null matches what has no value, and nothing else', async () => {
  await add('bob')
  await add('cat', new Date())
  const found = await findRows(db.database, 'operators', { role: 'support', disabled_at: null })
  const names = found.map(({ name }) => name)
  expect(names).toContain('bob')
  expect(names).not.toContain('cat')
})

test('what stands behind where is taken with its order and its limit', async () => {
  await add('dan')
  const last = sql`name > ${'a'} order by name desc limit 1`
  expect(await findRows(db.database, 'operators', last)).toMatchObject([{ name: 'dan' }])
})

test('only rows that match are changed, and answered as they are then', async () => {
  const { id } = await add('eve')
  const changed = await updateRows(db.database, 'operators', {
    match: { id },
    set: { role: 'owner' },
  })
  expect(changed).toMatchObject([{ id, role: 'owner' }])
  expect(await findRows(db.database, 'operators', { role: 'owner' })).toHaveLength(1)
  const none = { match: { id, role: 'support' }, set: { role: 'moderator' } } as const
  expect(await updateRows(db.database, 'operators', none)).toEqual([])
})

test('rows that are deleted are counted', async () => {
  await add('fay')
  expect(await deleteRows(db.database, 'operators', { name: 'fay' })).toBe(1)
  expect(await deleteRows(db.database, 'operators', { name: 'fay' })).toBe(0)
})

test('a match without any column is refused, so that no table is emptied by mistake', async () => {
  await expect(deleteRows(db.database, 'operators', {})).rejects.toThrow('one of their columns')
  await expect(findRows(db.database, 'operators', {})).rejects.toThrow('one of their columns')
})
