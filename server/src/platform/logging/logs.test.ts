import { mkdtemp, rm } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startNowpaymentsGateway } from '@starside/sandbox/testing/start-nowpayments-gateway.ts'
import type { RunningGateway } from '@starside/sandbox/testing/start-nowpayments-gateway.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { generateForm } from '../../testing/generate-form.ts'
import { openTestDatabase } from '../../testing/open-test-database.ts'
import { runProgram } from '../../testing/run-program.ts'
import type { RunningProgram } from '../../testing/run-program.ts'

/*
 * The real program at its most talkative level, through everything that handles a secret. What it
 * prints is then searched for each of them.
 */

let db: Awaited<ReturnType<typeof openTestDatabase>>
let dataFolder: string
let gateway: RunningGateway
let program: RunningProgram
const signingSecret = `signing-${'s3cr3t'.repeat(8)}`
beforeAll(async () => {
  db = await openTestDatabase(4)
  dataFolder = await mkdtemp(join(tmpdir(), 'starside-logs-'))
  gateway = await startNowpaymentsGateway()
  program = await runProgram({
    DATABASE_URL: db.url,
    DATA_DIR: dataFolder,
    LOG_LEVEL: 'debug',
    SIGNING_SECRET: signingSecret,
    NOWPAYMENTS_API_KEY: 'key',
    NOWPAYMENTS_IPN_SECRET: 'secret',
    NOWPAYMENTS_BASE_URL: `${gateway.url}/v1`,
    // Nothing listens there: mails fail, and the failure is logged.
    SMTP_URL: 'smtp://mailer:smtp-password-77@127.0.0.1:9',
  })
})
afterAll(async () => {
  await program.stop()
  await gateway.close()
  await db[Symbol.asyncDispose]()
  await rm(dataFolder, { recursive: true, force: true })
})

async function call(
  path: string,
  options: { token?: string; json?: unknown; form?: FormData } = {},
) {
  const { token, json, form } = options
  const response = await fetch(program.url + path, {
    ...(json === undefined && form === undefined ? {} : { method: 'POST' }),
    headers: {
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...(json === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(form === undefined ? {} : { body: form }),
    ...(json === undefined ? {} : { body: JSON.stringify(json) }),
  })
  const text = await response.text()
  const body: any = text.startsWith('{') ? JSON.parse(text) : text
  return { status: response.status, body, setCookie: response.headers.get('set-cookie') }
}

test('real payments whose callbacks can’t arrive are warned of at the start', async () => {
  await expect.poll(() => program.output()).toContain('Starside is ready')
  expect(program.output()).toContain("Payment callbacks can't reach '127.0.0.1'")
})

test('a worker does what comes again at its time: each minute what is due, rarer what only tidies', async () => {
  const { rows } = await db.pool.query<{ name: string; cron: string }>(
    'select name, cron from pgboss.schedule order by name',
  )
  expect(rows.map(({ name, cron }) => `${name}: ${cron}`)).toEqual([
    'check-inputs: 43 * * * *',
    'delete-ended-events: 7,37 * * * *',
    'delete-expired-limits: */5 * * * *',
    'delete-expired-secrets: 17 * * * *',
    'delete-request-notes: 23 3 * * *',
    'expire-holds: * * * * *',
    'keep-figures: * * * * *',
    'orders-expire: * * * * *',
    'orders-reconcile: * * * * *',
    'remove-ended-stars: 37 * * * *',
    'return-event-credits: * * * * *',
    'sweep-generations: */5 * * * *',
    'sweep-stars: 29 4 * * *',
    'watch-reports: */5 * * * *',
  ])
})

test('no log line holds a token, a password, an e-mail, a key, a cookie or a signature', async () => {
  const email = 'confidential.person@private-mail.example'
  const password = 'correct-horse-battery'
  const registered = await call('/api/auth?action=register', {
    json: { email, password, username: 'Confidential' },
  })
  const first = registered.body.token as string
  await call('/api/auth?action=login', { json: { email, password: 'wrong-password-99' } })
  const { body, setCookie } = await call('/api/auth?action=login', { json: { email, password } })
  const second = body.token as string
  await call('/api/auth?action=forgot-password', { json: { email } })
  await call('/api/auth?action=reset-password', { json: { token: 'reset-guess-1', password } })
  await call('/api/auth?action=send-confirmation', { token: second, json: {} })
  const changed = await call('/api/auth?action=change-password', {
    token: second,
    json: { currentPassword: password, newPassword: 'a-new-password-42' },
  })
  const token = changed.body.token as string
  await call('/api/user?action=profile', { token: first })
  await call('/api/user?action=consume-credits', { token, json: {} })
  const made = await call('/api/ai?action=generate', {
    token,
    form: await generateForm({ prompt: 'a-very-private-wish' }),
  })
  expect(made.status).toBe(200)
  await call(made.body.imageUrl)
  await call(`${made.body.imageUrl.replace('signature=', 'signature=x')}`)
  const order = await call('/api/orders', { token, json: { packageType: 'basic' } })
  await call(`/api/orders/status?order_id=${order.body.data?.orderId}`, { token })
  await call('/api/reports', {
    json: {
      link: made.body.generation.generationId,
      reason: 'other',
      contact: 'reporter@private-mail.example',
      details: 'very private details',
      signature: 'Robin Example',
      goodFaith: true,
    },
  })
  await call('/api/auth?action=login', { json: `{"email": "${email}", broken` })
  await call('/api/user?action=export', { token })
  await call('/api/user?action=delete-account', { token, json: { password: 'a-new-password-42' } })

  // The last request's own line ends the story: when it is there, so are all before it.
  await call('/api/ends-here')
  await expect.poll(() => program.output()).toContain('/api/ends-here')
  const output = program.output()
  const secrets = {
    email,
    'part of the e-mail': 'confidential.person',
    password,
    'wrong password': 'wrong-password-99',
    'new password': 'a-new-password-42',
    'first token': first,
    'second token': second,
    'third token': token,
    'reset token': 'reset-guess-1',
    'device cookie': /device=([\w.-]{89})/.exec(setCookie ?? '')?.[1],
    'signature of a picture': /signature=([\w-]+)/.exec(made.body.imageUrl)?.[1],
    'signing secret': signingSecret,
    'password of the mail server': 'smtp-password-77',
    'password of the database': new URL(db.url).password,
    prompt: 'a-very-private-wish',
    'address of the reporter': 'reporter@private-mail.example',
    'details of the report': 'very private details',
  }
  for (const [name, secret] of Object.entries(secrets)) {
    expect(secret, `${name} is known to the test`).toBeTruthy()
    expect(output.includes(secret ?? ''), `the logs hold the ${name}`).toBe(false)
  }
  // Nor anything that looks like one.
  expect(output).not.toMatch(/Bearer [\w-]{20}/)
  expect(output).not.toMatch(/\$argon2id\$/)
})

test('a client that leaves while it sends is no failure of ours', async () => {
  const { hostname, port } = new URL(program.url)
  const head =
    'POST /api/auth?action=login HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n'
  const socket = connect(Number(port), hostname, () => {
    socket.write(`${head}content-length: 1000\r\n\r\n{"email": `, () => socket.destroy())
  })
  await expect.poll(() => program.output()).toContain('the client left while it was sending')
  expect(program.output()).not.toContain('request failed')
})

test('in production without a mail server no mail is printed, and the start says what is missing', async () => {
  await using production = await runInProduction()
  const post = (action: string, json: object) =>
    fetch(`${production.url}/api/auth?action=${action}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(json),
    })
  const email = 'production.person@private-mail.example'
  await post('register', { email, password: 'correct-horse-battery', username: 'Confidential' })
  const forgot = await post('forgot-password', { email })
  expect([forgot.status, await forgot.json()]).toMatchObject([503, { code: 'mail_not_set_up' }])
  await fetch(`${production.url}/api/ends-here`)
  await expect.poll(() => production.output()).toContain('/api/ends-here')
  expect(production.output()).toContain('SMTP_URL is not set')
  expect(production.output()).not.toContain('production.person')
  expect(production.output()).not.toContain('token=')
})

async function runInProduction() {
  const folder = await mkdtemp(join(tmpdir(), 'starside-production-'))
  const running = await runProgram({
    NODE_ENV: 'production',
    DATABASE_URL: db.url,
    DATA_DIR: folder,
    LOG_LEVEL: 'debug',
    PAYMENT_PROVIDER: 'sandbox',
  })
  return {
    ...running,
    async [Symbol.asyncDispose]() {
      await running.stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}
