import { startFalServer } from '../../testing/vendors/fal-server.ts'
import { startDirectServer } from '../../testing/vendors/direct-server.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readConfig } from '../../config.ts'
import { openTestDatabase } from '../../testing/open-test-database.ts'
import { providerCommands } from './provider-commands.ts'
import { recordFailure } from '../../selfies/providers/circuit.ts'
import { runWords } from '../../testing/call-command.ts'

let db: Awaited<ReturnType<typeof openTestDatabase>>
let fal: Awaited<ReturnType<typeof startFalServer>>
let openai: Awaited<ReturnType<typeof startDirectServer>>
beforeAll(async () => {
  db = await openTestDatabase(2)
  fal = await startFalServer({ apiKey: 'fal-key' })
  openai = await startDirectServer({
    apiKey: 'openai-key',
    models: ['gpt-image-2'],
    shutdownDate: '2031-12-01',
  })
})
afterAll(async () => {
  await fal.close()
  await openai.close()
  await db[Symbol.asyncDispose]()
})

interface RunOptions {
  now?: Date
  cap?: string
}

async function run(name: string, ...given: (string | RunOptions)[]) {
  const words = given.filter((each) => typeof each === 'string')
  const { now = new Date(), cap = '5' } = given.find((each) => typeof each === 'object') ?? {}
  const lines: string[] = []
  const config = readConfig({
    NODE_ENV: 'test',
    IMAGE_PROVIDERS: 'fal:google/nano-banana-2.1/edit,openai:gpt-image-2,compositor',
    ...(cap === '' ? {} : { IMAGE_DAILY_SPEND_MAX_USD: cap }),
    FAL_KEY: 'fal-key',
    FAL_QUEUE_URL: fal.url,
    OPENAI_API_KEY: 'openai-key',
    OPENAI_BASE_URL: openai.url,
  })
  const { database } = db
  const status = await runWords(
    providerCommands[name],
    {
      config,
      database,
      databaseUrl: db.url,
      clock: () => now,
      print: (line) => lines.push(line),
    },
    words,
  )
  return { status, lines }
}

test('providers check has each provider make a real picture, and tells price and time', async () => {
  const { status, lines } = await run('providers check')
  expect(lines).toEqual([
    'A selfie costs $0.040 by fal:google/nano-banana-2.1/edit, and up to $0.100 where the next ones of the chain are asked too.',
    'A day (UTC) costs up to $5.000 (IMAGE_DAILY_SPEND_MAX_USD): 83 selfies at $0.060.',
    'RETIRES  openai:gpt-image-2  2031-12-01',
    expect.stringMatching(
      /^works {2}fal:google\/nano-banana-2.1\/edit {2}\$0\.040 {2}[\d.]+ s {2}1024×1280/,
    ),
    expect.stringMatching(/^works {2}openai:gpt-image-2 {2}\$0\.060 {2}[\d.]+ s {2}1024×1280/),
    expect.stringMatching(/^works {2}compositor {2}\$0\.000 {2}[\d.]+ s {2}1024×1280/),
    'Every provider works.',
  ])
  expect(status).toBe(0)
  expect([fal.submits(), openai.calls().length]).toEqual([1, 1])
})

test('providers check says of each provider what is wrong with it, and without a cap what a day could cost', async () => {
  fal.next({ end: 'policy' })
  openai.next('unauthorised')
  const names = ['fal:google/nano-banana-2.1/edit', 'openai:gpt-image-2']
  const { status, lines } = await run('providers check', { cap: '' }, ...names)
  expect(status).toBe(1)
  expect(lines[1]).toBe(
    'Nothing limits a day: 4 at once (IMAGE_AT_ONCE), each in 20 s, would be $1036.800. Set IMAGE_DAILY_SPEND_MAX_USD.',
  )
  expect(lines.filter((line) => line.startsWith('FAILS'))).toEqual([
    expect.stringMatching(/^FAILS .*policy_refused: fal answered 422: content_policy_violation/),
    expect.stringMatching(/provider_down: the server answered 401: Incorrect API key/),
  ])
  expect((await run('providers check', 'nobody')).status).toBe(2)
})

test('providers check --all says which known models answer, and makes no picture', async () => {
  const before = openai.calls().length
  const { status, lines } = await run('providers check', '--all')
  expect(status).toBe(0)
  const line = (name: string) => lines.find((text) => text.includes(` ${name} `))
  expect(line('openai:gpt-image-2')).toMatch(
    /^answers .* \$0\.060 {2}seen 2026-11-23 {2}RETIRES 2031-12-01$/,
  )
  expect(line('openai:Qwen/Qwen-Image-Edit-2511')).toMatch(/^fails .*doesn’t list Qwen/)
  expect(line('fal:google/nano-banana-2.1/edit')).toMatch(/^answers /)
  expect(line('fal:fal-ai/nano-banana-2-lite/edit')).toMatch(/NOT VERIFIED/)
  expect(line('google:gemini-3.1-flash-lite-image')).toMatch(/^not set up .*needs GOOGLE_API_KEY/)
  expect(lines.at(-1)).toBe('Nothing was charged: no picture was made.')
  expect(openai.calls().length).toBe(before)
})

test('a price that is older than 90 days is marked', async () => {
  const { lines } = await run('providers list', { now: new Date('2027-06-01') })
  expect(lines.filter((text) => text.includes('OLD PRICE'))).toEqual([
    expect.stringContaining('that of fal:google/nano-banana-2.1/edit was read 2026-11-22'),
    expect.stringContaining('openai:gpt-image-2'),
  ])
})

test('providers list shows the chain, its health and the money spent', async () => {
  const { status, lines } = await run('providers list')
  expect(status).toBe(0)
  expect(lines.join('\n')).toContain('circuit closed, 0 failures in a row')
  expect(lines.at(-1)).toBe('Spent today (UTC): $0.000 of $5.000')
})

test('providers list shows an open circuit, its failures and the last one, of its provider alone', async () => {
  const now = new Date('2026-11-27T12:00:00Z')
  const settings = { circuitFailuresMax: 5, circuitOpenMs: 60_000 }
  const error = { kind: 'provider_down', message: 'the server answered 503' } as const
  for (let failures = 0; failures < 5; failures += 1) {
    await recordFailure(db.database, { provider: 'openai:gpt-image-2', error, settings, now })
  }
  const { lines } = await run('providers list', { now })
  expect(lines.filter((line) => line.startsWith('    '))).toEqual([
    '    circuit closed, 0 failures in a row',
    '    circuit open, 5 failures in a row',
    '    last failure 2026-11-27T12:00:00.000Z: the server answered 503',
  ])
})
