import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openHostedApp } from '../../testing/open-hosted-app.ts'
import type { HostedApp } from '../../testing/open-hosted-app.ts'
import { makeTestSelfie } from '../../testing/scripted-engine.ts'

const chain = 'fal:google/nano-banana-2.1/edit,openai:gpt-image-2'
let hosted: HostedApp
beforeAll(async () => {
  hosted = await openHostedApp({ chain, settings: { IMAGE_CIRCUIT_FAILURES: '1000' } })
})
afterAll(() => hosted[Symbol.asyncDispose]())

const pathOf = (address: string) => {
  const { pathname, search } = new URL(address, hosted.app.url)
  return pathname + search
}

test('a hosted picture has the brand mark until its owner has bought credits', async () => {
  const { token, userId } = await hosted.signIn()
  const made = await hosted.generate(token)
  expect(made.status).toBe(200)
  const open = async () =>
    (await hosted.app.call(pathOf(made.body.generation.imageUrl))).body as Buffer
  const { clean, watermarked } = await makeTestSelfie()
  expect((await open()).equals(Buffer.from(watermarked))).toBe(true)
  await hosted.app.context.database
    .updateTable('credit_accounts')
    .set({ bought_total: 1 })
    .where('user_id', '=', userId)
    .execute()
  expect((await open()).equals(Buffer.from(clean))).toBe(true)
})

/** Every row of every table, as PostgreSQL writes it: bytes are hexadecimal. */
async function readAllRows(): Promise<string[]> {
  const { database } = hosted.app.context
  const texts: string[] = []
  for (const { schema, name } of await database.introspection.getTables()) {
    const { rows } = await sql<{ text: string }>`
      select entry::text as text from ${sql.table(`${schema}.${name}`)} as entry
    `.execute(database)
    texts.push(...rows.map(({ text }) => text))
  }
  return texts
}

test('a provider’s key goes to that provider alone: into no answer, no row and no line of the log', async () => {
  const { token } = await hosted.signIn(3)
  const lines: string[] = []
  const { log } = hosted.app.context
  for (const level of ['debug', 'info', 'warn', 'error'] as const) {
    log[level] = (...words: unknown[]) => {
      lines.push(JSON.stringify(words, (_key, value: unknown) => printError(value)))
    }
  }
  const answers = [await hosted.generate(token)]
  hosted.fal.next({ submit: 'unauthorised' })
  hosted.direct.openai.next('unauthorised')
  answers.push(await hosted.generate(token))
  expect(answers.map(({ status }) => status)).toEqual([200, 502])
  const { generationId } = answers[0]?.body.generation ?? {}
  for (const path of [
    `/api/generations/${generationId}`,
    '/api/generations',
    '/api/user?action=profile',
    '/api/ai?action=presets',
    '/api/health/ready',
  ]) {
    answers.push(await hosted.app.call(path, { token }))
  }
  const rows = await readAllRows()
  expect(rows.length).toBeGreaterThan(10)
  const told = [
    ...answers.map(({ headers, body }) => JSON.stringify([[...headers], body])),
    ...lines,
    ...rows,
  ].join('\n')
  for (const key of ['fal-key', 'openai-key', 'google-key']) {
    expect(told).not.toContain(key)
    expect(told).not.toContain(Buffer.from(key).toString('hex'))
  }
  // The vendor repeats the key that it refuses.
  expect(told).toContain('Incorrect API key provided: Bearer [key].')
})

/** What a log would print of an error: its words, stack and causes. */
function printError(value: unknown): unknown {
  if (!(value instanceof Error)) return value
  const { message, stack, cause } = value
  return { message, stack, cause, fields: Object.entries(value) }
}
