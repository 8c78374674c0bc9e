import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { childEnvironment } from '../../testing/child-environment.ts'
import { makeUser } from '../../testing/make-user.ts'
import { openTestDatabase } from '../../testing/open-test-database.ts'
import { readAccount } from './account.ts'
import { auditBooks } from './audit.ts'

const spender = fileURLToPath(new URL('../../testing/spend-in-process.ts', import.meta.url))

let db: Awaited<ReturnType<typeof openTestDatabase>>
beforeAll(async () => {
  db = await openTestDatabase(4)
})
afterAll(() => db[Symbol.asyncDispose]())

async function spendInProcess(userId: string, attempts: number): Promise<number> {
  const child = spawn(process.execPath, [spender, userId, String(attempts)], {
    env: childEnvironment,
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  child.stdin.end(db.url)
  const [printed, [exitCode]] = await Promise.all([text(child.stdout), once(child, 'exit')])
  expect(exitCode).toBe(0)
  return Number(printed)
}

test('eight processes that spend one account at once get each credit once', async () => {
  const credits = 37
  const userId = await makeUser(db.database, credits)
  const spent = await Promise.all(Array.from({ length: 8 }, () => spendInProcess(userId, 25)))
  expect(spent.reduce((sum, one) => sum + one, 0)).toBe(credits)
  expect((await readAccount(db.database, userId)).balance).toBe(0)
  const captured = await db.database
    .selectFrom('credit_holds')
    .select(({ fn }) => fn.countAll<string>().as('count'))
    .where('state', '=', 'captured')
    .executeTakeFirstOrThrow()
  expect(Number(captured.count)).toBe(credits)
  expect((await auditBooks(db.database)).findings).toEqual([])
})
