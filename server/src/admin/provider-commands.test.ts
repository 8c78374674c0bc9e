import { startFalSandbox } from '@starside/sandbox/fal/fal-sandbox.ts'
import { startDirectSandbox } from '@starside/sandbox/direct/direct-sandbox.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readConfig } from '../config.ts'
import { openTestDatabase } from '../testing/open-test-database.ts'
import { providerCommands } from './provider-commands.ts'

let db: Awaited<ReturnType<typeof openTestDatabase>>
let fal: Awaited<ReturnType<typeof startFalSandbox>>
let openai: Awaited<ReturnType<typeof startDirectSandbox>>
beforeAll(async () => {
  db = await openTestDatabase(2)
  fal = await startFalSandbox({ port: 0, host: '127.0.0.1', apiKey: 'fal-key' })
  openai = await startDirectSandbox({ port: 0, host: '127.0.0.1', apiKey: 'openai-key' })
})
afterAll(async () => {
  await fal.close()
  await openai.close()
  await db[Symbol.asyncDispose]()
})

async function run(name: string, ...words: string[]) {
  const lines: string[] = []
  const config = readConfig({
    NODE_ENV: 'test',
    IMAGE_PROVIDERS: 'fal:fal-ai/nano-banana/edit,openai:gpt-image-1.5,compositor',
    IMAGE_DAILY_SPEND_MAX_USD: '5',
    FAL_KEY: 'fal-key',
    FAL_QUEUE_URL: fal.url,
    OPENAI_API_KEY: 'openai-key',
    OPENAI_BASE_URL: openai.url,
  })
  const { database } = db
  const status = await providerCommands[name]!.run(
    {
      config,
      database,
      databaseUrl: db.url,
      clock: () => new Date(),
      print: (line) => lines.push(line),
    },
    words,
  )
  return { status, lines }
}

test('providers check has each provider make a real picture, and tells price and time', async () => {
  const { status, lines } = await run('providers check')
  expect(lines).toEqual([
    expect.stringMatching(
      /^works {2}fal:fal-ai\/nano-banana\/edit {2}\$0\.039 {2}[\d.]+ s {2}1024×1280/,
    ),
    expect.stringMatching(/^works {2}openai:gpt-image-1\.5 {2}\$0\.050 {2}[\d.]+ s {2}1024×1280/),
    expect.stringMatching(/^works {2}compositor {2}\$0\.000 {2}[\d.]+ s {2}1024×1280/),
    'Every provider works.',
  ])
  expect(status).toBe(0)
  expect([fal.submits(), openai.calls().length]).toEqual([1, 1])
})

test('providers check says of each provider what is wrong with it', async () => {
  fal.next({ end: 'policy' })
  const refused = await run('providers check', 'fal:fal-ai/nano-banana/edit')
  expect([refused.status, refused.lines[0]]).toEqual([
    1,
    expect.stringMatching(/^FAILS .*policy_refused: fal answered 422: content_policy_violation/),
  ])
  openai.next('unauthorised')
  const wrongKey = await run('providers check', 'openai:gpt-image-1.5')
  expect(wrongKey.lines[0]).toMatch(/provider_down: the server answered 401: Incorrect API key/)
  expect((await run('providers check', 'nobody')).status).toBe(2)
})

test('providers list shows the chain, its health and the money spent', async () => {
  const { status, lines } = await run('providers list')
  expect(status).toBe(0)
  expect(lines.join('\n')).toContain('circuit closed, 0 failures in a row')
  expect(lines.at(-1)).toBe('Spent today (UTC): $0.000 of $5.000')
})
