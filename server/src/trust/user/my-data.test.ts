import { spawnSync } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { auditBooks } from '../../ledger/credits/audit.ts'
import { writeZip } from '../../platform/http/zip-stream.ts'
import { generateForm } from '../../testing/generate-form.ts'
import { newPerson, openTestApp } from '../../testing/open-test-app.ts'
import type { TestApp } from '../../testing/open-test-app.ts'
import { readZip } from '../../testing/read-zip.ts'
import { deleteAccount } from './delete-account.ts'

let app: TestApp
let folder: string
beforeAll(async () => {
  app = await openTestApp()
  folder = await mkdtemp(join(tmpdir(), 'starside-my-data-'))
})
afterAll(async () => {
  await app[Symbol.asyncDispose]()
  await rm(folder, { recursive: true })
})

describe('the export', () => {
  test('as an archive holds the data and the pictures as the person may have them', async () => {
    const person = newPerson()
    const { token } = (await app.call('/api/auth?action=register', { json: person })).body
    const { body } = await app.call('/api/user?action=export', { token })
    expect(body.account).toMatchObject({
      creditsBalance: 1,
      creditsOwed: 0,
      totalCreditsEverBought: 0,
    })
    const made = await app.call('/api/ai?action=generate', { token, form: await generateForm() })
    await app.call('/api/orders', { token, json: { packageType: 'basic' } })
    const answer = await app.call('/api/user?action=export&format=zip', { token })
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/zip'])
    const files = readZip(answer.body)
    const { generationId, imageUrl } = made.body.generation
    expect([...files.keys()]).toEqual(['my-data.json', `pictures/${generationId}.jpg`])
    const shown = await app.call(imageUrl)
    expect(files.get(`pictures/${generationId}.jpg`)?.equals(shown.body)).toBe(true)
    const document = JSON.parse(files.get('my-data.json')?.toString() ?? '')
    expect(document).toMatchObject({
      account: {
        email: person.email,
        termsVersion: '2026-11-28',
        termsAgreedAt: expect.any(String),
      },
      orders: [{ packageType: 'basic' }],
      sessions: [{ isCurrent: true }],
      selfies: [{ generationId, celebrity: 'Elena Vassandri' }],
      creditHistory: [{ reason: 'usage' }, { reason: 'signup' }],
      vouchers: [],
      payments: expect.any(Array),
      requests: expect.any(Array),
    })
    const text = JSON.stringify(document)
    expect(text).not.toContain(token)
    expect(text).not.toContain('argon2')
  })

  test('is an archive that other programs read', async ({ skip }) => {
    async function* files() {
      yield {
        name: 'a.txt',
        modifiedAt: new Date('2026-11-21T12:34:56Z'),
        bytes: Buffer.from('one'),
      }
      yield { name: 'b/c.bin', modifiedAt: new Date(0), bytes: Buffer.alloc(100_000, 7) }
    }
    const chunks = []
    for await (const chunk of writeZip(files())) chunks.push(chunk)
    const path = join(folder, 'archive.zip')
    await writeFile(path, Buffer.concat(chunks))
    const script =
      'import sys, zipfile; z = zipfile.ZipFile(sys.argv[1]); assert z.testzip() is None; print(z.namelist(), z.infolist()[0].date_time)'
    const read = spawnSync('python3', ['-c', script, path])
    if (read.error !== undefined) skip('python3 is not installed')
    expect(read.stdout.toString().trim()).toBe("['a.txt', 'b/c.bin'] (2026, 11, 21, 12, 34, 56)")
  })
})

test('a deleted account leaves nothing behind but nameless books, and one that is kept loses nothing', async () => {
  const person = newPerson()
  const { token, user } = (await app.call('/api/auth?action=register', { json: person })).body
  const made = await app.call('/api/ai?action=generate', { token, form: await generateForm() })
  const { generationId, imageUrl } = made.body.generation
  const shared = await app.call(`/api/generations/${generationId}/share`, { method: 'POST', token })
  const shareId = new URL(shared.body.generation.shareUrl).searchParams.get('selfie')
  const wrong = await app.call('/api/user?action=delete-account', {
    token,
    json: { password: 'not this' },
  })
  expect([wrong.status, wrong.body.code]).toEqual([400, 'password_wrong'])
  // The password may change between being judged and the deletion.
  const changed = { passwordHash: 'another' }
  expect(await deleteAccount(app.context, user.userId, changed)).toBe(false)
  expect((await app.call(imageUrl)).status).toBe(200)
  const forgetting = vi.spyOn(app.context.engine, 'forgetPhotos')
  await app.call('/api/user?action=delete-account', { token, json: { password: person.password } })
  expect(forgetting).toHaveBeenCalledWith({ account: user.userId })
  forgetting.mockRestore()

  expect((await app.call('/api/user?action=profile', { token })).status).toBe(401)
  expect((await app.call(imageUrl)).status).toBe(404)
  expect((await app.call(`/api/shares/${shareId}/picture.jpg`)).status).toBe(404)
  for (const prefix of ['pictures', 'inputs']) {
    const keys = []
    for await (const { key } of app.context.store.list(prefix)) keys.push(key)
    expect(keys.filter((key) => key.includes(generationId))).toEqual([])
  }
  const { rows } = await sql<{ table_name: string }>`
    select table_name from information_schema.columns
    where table_schema = 'public' and column_name = 'user_id' and table_name <> 'moderation_log'
  `.execute(app.context.database)
  expect(rows.length).toBeGreaterThan(4)
  for (const { table_name: table } of rows) {
    const left = await sql<{ count: number }>`
      select count(*)::integer as count from ${sql.table(table)} where user_id = ${user.userId}
    `.execute(app.context.database)
    expect([table, left.rows[0]?.count]).toEqual([table, 0])
  }
  expect((await auditBooks(app.context.database)).findings).toEqual([])
})
