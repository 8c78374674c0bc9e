import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestDatabase } from '../testing/open-test-database.ts'
import { dumpSchema } from './dump-schema.ts'
import { migrate } from './migrate.ts'

let db: Awaited<ReturnType<typeof openTestDatabase>>
beforeAll(async () => {
  db = await openTestDatabase(2)
})
afterAll(() => db[Symbol.asyncDispose]())

test('schema.sql shows what the migrations make; `vitest -u` writes it anew', async () => {
  await expect(await dumpSchema(db.database)).toMatchFileSnapshot('../../schema.sql')
})

test('six programs that migrate at once agree', async () => {
  const results = await Promise.all(Array.from({ length: 6 }, () => migrate(db.url)))
  expect(results.flatMap(({ applied }) => applied)).toEqual([])
})
