import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startFalServer } from '../../testing/vendors/fal-server.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { auditBooks } from '../../ledger/credits/audit.ts'
import { beginSelfie, registerAt } from '../../testing/begin-selfie.ts'
import { openTestDatabase } from '../../testing/open-test-database.ts'
import { runProgram } from '../../testing/run-program.ts'
import type { RunningProgram } from '../../testing/run-program.ts'

/*
 * The real program with the real engine on a stand-in of fal's queue, killed while the vendor works
 * on two requests: the answer to one was kept, the answer to the other never came.
 */

const webhookHost = 'https://selfie.example'
const waitOptions = { interval: 50 }

let db: Awaited<ReturnType<typeof openTestDatabase>>
let fal: Awaited<ReturnType<typeof startFalServer>>
let dataFolder: string
let program: RunningProgram

beforeAll(async () => {
  db = await openTestDatabase(4)
  dataFolder = await mkdtemp(join(tmpdir(), 'starside-kill-'))
  fal = await startFalServer({
    apiKey: 'fal-key',
    // Webhooks find the program wherever it runs now, and are sent again while it doesn't.
    fetch: (url, init) => fetch(url.replace(webhookHost, program.url), init),
    retryDelaysMs: Array.from({ length: 60 }, () => 500),
  })
})
afterAll(async () => {
  await fal.close()
  await db[Symbol.asyncDispose]()
  await rm(dataFolder, { recursive: true, force: true })
})

const start = () =>
  runProgram({
    DATABASE_URL: db.url,
    DATA_DIR: dataFolder,
    IMAGE_PROVIDERS: 'fal:google/nano-banana-2.1/edit',
    IMAGE_WEBHOOK_URL: webhookHost,
    FAL_KEY: 'fal-key',
    FAL_QUEUE_URL: fal.url,
    FAL_KEY_SET_URL: `${fal.url}/.well-known/jwks.json`,
  })

async function begin() {
  const token = await registerAt(program.url)
  await beginSelfie(program.url, token)
  return token
}

const states = async () =>
  (
    await db.database
      .selectFrom('generation_attempts')
      .select(['state'])
      .orderBy('created_at')
      .execute()
  ).map(({ state }) => state)

test('kill -9 while the vendor works resumes, and nothing is requested twice', async () => {
  program = await start()
  const restarted = Promise.withResolvers<void>()
  // Its webhook never comes: only asking with the kept addresses can bring the picture.
  fal.next({ until: restarted.promise, webhook: 'none' })
  const tokens = [await begin()]
  await expect.poll(states, waitOptions).toEqual(['submitted'])
  // The request is taken at once and answered after its webhook, for which the kill comes too early.
  fal.next({ until: restarted.promise, submit: 'accept_after_webhook' })
  tokens.push(await begin())
  await expect.poll(states, waitOptions).toEqual(['submitted', 'submitting'])
  await expect.poll(() => fal.requests().length, waitOptions).toBe(2)
  await program.kill()

  program = await start()
  restarted.resolve()
  try {
    await expect.poll(states, waitOptions).toEqual(['succeeded', 'succeeded'])
    expect(fal.submits()).toBe(2)
    for (const token of tokens) {
      const response = await fetch(`${program.url}/api/user?action=profile`, {
        headers: { authorization: `Bearer ${token}` },
      })
      expect(await response.json()).toMatchObject({ user: { creditsBalance: 0 } })
    }
    const rows = await db.database.selectFrom('generations').selectAll().execute()
    expect(rows.map(({ state, provider }) => [state, provider])).toEqual([
      ['done', 'fal'],
      ['done', 'fal'],
    ])
    expect((await auditBooks(db.database)).findings).toEqual([])
  } finally {
    expect(await program.stop()).toBe(0)
  }
})
