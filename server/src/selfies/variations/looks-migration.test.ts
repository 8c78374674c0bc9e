import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { arrangementAt } from '../../testing/arrangement-at.ts'
import { makeDoneGeneration } from '../../testing/make-generation.ts'
import { openTestDatabase } from '../../testing/open-test-database.ts'

let db: Awaited<ReturnType<typeof openTestDatabase>>
beforeAll(async () => {
  db = await openTestDatabase()
})
afterAll(() => db[Symbol.asyncDispose]())

test('variations of looks that are gone are kept in the nearest that there is', async () => {
  const { generationId } = await makeDoneGeneration(db.database)
  const looks = ['flash', 'warm-film', 'black-and-white', 'instant']
  await db.pool.query(
    `insert into variations
       (generation_id, position, source, arrangement, clean_preview_key, watermarked_preview_key,
        width_px, height_px, created_at)
     select $1, n - 1, 'adjusted', $2::jsonb || jsonb_build_object('look', look), 'a', 'b', 8, 8, now()
     from unnest($3::text[]) with ordinality as old (look, n)`,
    [generationId, JSON.stringify(arrangementAt(0.3)), looks],
  )
  const file = new URL('../../../migrations/0060-since-0.1.0.sql', import.meta.url)
  const migration = await readFile(file, 'utf8')
  await db.pool.query(migration.slice(migration.indexOf('update variations')))
  const { rows } = await db.pool.query<{ arrangement: { look: string; caption: string } }>(
    'select arrangement from variations order by position',
  )
  expect(rows.map(({ arrangement }) => arrangement.look)).toEqual([
    'natural',
    'warm',
    'black-and-white',
    'instant',
  ])
  expect(rows[0]!.arrangement).toEqual(arrangementAt(0.3))
})
