import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { startNowpaymentsGateway } from '@starside/sandbox/testing/start-nowpayments-gateway.ts'
import type { RunningGateway } from '@starside/sandbox/testing/start-nowpayments-gateway.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { auditBooks } from '../ledger/credits/audit.ts'
import { newPerson } from '../testing/open-test-app.ts'
import { openTestDatabase } from '../testing/open-test-database.ts'
import { roundsOr } from '../testing/rounds-or.ts'
import { runProgram } from '../testing/run-program.ts'
import type { RunningProgram } from '../testing/run-program.ts'
import { auditOrders } from './audit-orders.ts'

/*
 * The real program, killed at random moments while people buy. Orders are placed, paid and called
 * back all the time; every kill hits some of them between any two lines. In the end nobody has paid
 * without credits, and nobody has credits twice.
 *
 * It takes minutes, so it only runs when ROUNDS says how often to kill.
 */
const kills = roundsOr(0)
const purchases = 10 * kills
const buyersAtOnce = 5
const ordersPerBuyer = 20

let db: Awaited<ReturnType<typeof openTestDatabase>>
let dataFolder: string
let gateway: RunningGateway
let relay: { url: string; close(): Promise<void> }
let program: RunningProgram | undefined

beforeAll(async () => {
  if (kills === 0) return
  db = await openTestDatabase(4)
  dataFolder = await mkdtemp(join(tmpdir(), 'starside-kill-'))
  gateway = await startNowpaymentsGateway({
    retryDelaysMs: Array.from({ length: 60 }, () => 500),
  })
  relay = await startRelay()
})
afterAll(async () => {
  if (kills === 0) return
  await program?.stop()
  await gateway.close()
  await relay.close()
  await db[Symbol.asyncDispose]()
  await rm(dataFolder, { recursive: true, force: true })
})

/** What a reverse proxy is to the gateway: one address, whichever process is behind it. */
async function startRelay() {
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const { 'content-type': type = '', 'x-nowpayments-sig': signature = '' } = request.headers
      fetch(`${program?.url}${request.url}`, {
        method: 'POST',
        headers: { 'content-type': type, 'x-nowpayments-sig': String(signature) },
        body: Buffer.concat(chunks),
      }).then(
        (answer) => response.writeHead(answer.status).end(),
        () => response.writeHead(502).end(),
      )
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    close: () => new Promise<void>((resolve) => server.close(() => resolve())),
  }
}

const start = () =>
  runProgram({
    DATABASE_URL: db.url,
    DATA_DIR: dataFolder,
    LOG_LEVEL: 'error',
    RATE_LIMITS: 'off',
    NOWPAYMENTS_API_KEY: 'key',
    NOWPAYMENTS_IPN_SECRET: 'secret',
    NOWPAYMENTS_BASE_URL: `${gateway.url}/v1`,
    NOWPAYMENTS_EMAIL: 'merchant@sandbox.example',
    NOWPAYMENTS_PASSWORD: 'sandbox',
    PAYMENT_CALLBACK_URL: relay.url,
  })

/** Calls the program until it answers at all, as a browser's retry with the same key would. */
async function callUntilAnswered(
  path: string,
  body: object,
  headers: Record<string, string> = {},
): Promise<{ status: number; body: any }> {
  for (;;) {
    try {
      const response = await fetch(`${program?.url}${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body: JSON.stringify(body),
      })
      if (response.status < 500) return { status: response.status, body: await response.json() }
    } catch {
      // It was killed; the next one answers.
    }
    await sleep(50)
  }
}

async function registerBuyer(): Promise<string> {
  for (;;) {
    const { status, body } = await callUntilAnswered('/api/auth?action=register', newPerson())
    if (status === 200) return body.token
  }
}

/** Orders a package and pays it, however often the program dies meanwhile; answers the order. */
async function buy(token: string): Promise<string> {
  const headers = {
    authorization: `Bearer ${token}`,
    'idempotency-key': crypto.randomUUID(),
  }
  const { body } = await callUntilAnswered('/api/orders', { packageType: 'basic' }, headers)
  const { orderId, nowpaymentsId } = body.data
  const paid = await fetch(`${gateway.url}/control/invoices/${nowpaymentsId}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ action: 'pay', duplicates: 1, stepDelayMs: 100 }),
  })
  expect(paid.status).toBe(200)
  return orderId
}

test.skipIf(kills === 0)(
  `kill -9 at ${kills} random moments during ${purchases} purchases loses and doubles nothing`,
  async () => {
    program = await start()
    let killed = 0
    const killer = async () => {
      while (killed < kills) {
        await sleep(200 + Math.random() * 2_500)
        await program?.kill()
        killed += 1
        program = await start()
      }
    }
    const orders: string[] = []
    const buyer = async () => {
      while (orders.length < purchases) {
        const token = await registerBuyer()
        for (let own = 0; own < ordersPerBuyer && orders.length < purchases; own += 1) {
          orders.push(await buy(token))
        }
      }
    }
    const killing = killer()
    await Promise.all(Array.from({ length: buyersAtOnce }, buyer))
    await killing

    const open = async () =>
      db.database
        .selectFrom('orders')
        .select('id')
        .where('id', 'in', orders)
        .where('status', '<>', 'completed')
        .execute()
    // Where every repetition of a callback fell into a restart, the search for payments finds it.
    await expect.poll(open, { interval: 500 }).toEqual([])

    expect(killed).toBe(kills)
    expect((await auditBooks(db.database)).findings).toEqual([])
    expect(await auditOrders(db.database)).toEqual([])
    const { bought } = await db.database
      .selectFrom('credit_accounts')
      .select(({ fn }) => fn.sum<string>('bought_total').as('bought'))
      .executeTakeFirstOrThrow()
    const credited = await db.database
      .selectFrom('orders')
      .select('id')
      .where('credited_at', 'is not', null)
      .execute()
    expect(Number(bought)).toBe(credited.length * 100)
    expect(new Set(credited.map(({ id }) => id))).toEqual(new Set(orders))
  },
  1_800_000,
)
