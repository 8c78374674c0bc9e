import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { sandboxModule } from './sandbox-module.ts'
import { startSandboxGateway } from './start-sandbox-gateway.ts'

let folder: string
let closers: (() => Promise<void>)[]
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'starside-gateway-'))
  closers = []
})
afterEach(async () => {
  for (const close of closers) await close()
  await rm(folder, { recursive: true, force: true })
})

async function start(more: Partial<Parameters<typeof startSandboxGateway>[0]> = {}) {
  const gateway = await startSandboxGateway({
    port: 0,
    host: '127.0.0.1',
    publicUrl: undefined,
    appUrl: 'http://selfie.example:3000',
    apiKey: 'key',
    ipnSecret: 'secret',
    dataFile: join(folder, `${closers.length}.jsonl`),
    startsGateway: true,
    ...more,
  })
  closers.push(gateway.close)
  return gateway
}
/** Where the gateway sends who pays an invoice. */
async function payPageOf(url: string): Promise<string> {
  const response = await fetch(`${url}/v1/invoice`, {
    method: 'POST',
    headers: { 'x-api-key': 'key', 'content-type': 'application/json' },
    body: JSON.stringify({ price_amount: 10, price_currency: 'usd', order_id: 'one' }),
  })
  const { invoice_url: page } = (await response.json()) as { invoice_url: string }
  return new URL(page).origin
}
const portOf = ({ url }: { url: string }) => Number(new URL(url).port)

test('a gateway that listens everywhere is called on this machine', async () => {
  const { url } = await start({ host: '0.0.0.0' })
  expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/)
})

test('two programs of one installation share the gateway, one of another installation can’t', async () => {
  const first = await start()
  const port = portOf(first)
  expect((await start({ port })).url).toBe(first.url)
  await expect(start({ port, apiKey: 'another' })).rejects.toMatchObject({ code: 'EADDRINUSE' })
  expect(await payPageOf(first.url)).toBe(first.url)
})

test('a port that something else holds, and an address that isn’t this machine’s, are refused', async () => {
  const other = createServer((socket) => socket.destroy())
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve))
  closers.push(async () => void other.close())
  const { port } = other.address() as AddressInfo
  await expect(start({ port })).rejects.toMatchObject({ code: 'EADDRINUSE' })
  const ours = portOf(await start())
  await expect(start({ port: ours, host: '192.0.2.1' })).rejects.toMatchObject({
    code: 'EADDRNOTAVAIL',
  })
})

test('a program that only reads starts none', async () => {
  const { url, merchant, close } = await start({ port: 1, startsGateway: false })
  expect(url).toBe('http://127.0.0.1:1')
  expect(merchant).toEqual({ email: expect.any(String), password: expect.any(String) })
  await close()
  await expect(fetch(url)).rejects.toThrow()
})

test('who pays is led to the app’s own host, or where the operator says', async () => {
  const { url, close } = await start()
  const port = portOf({ url })
  await close()
  closers = []
  const beside = await start({ port })
  expect(await payPageOf(beside.url)).toBe(`http://selfie.example:${port}`)
  await beside.close()
  closers = []
  const named = await start({ port, publicUrl: 'https://pay.example' })
  expect(await payPageOf(named.url)).toBe('https://pay.example')
})

test.each([
  [undefined, 4000, 4001],
  [undefined, 0, 0],
  [5000, 4000, 5000],
])('with the port %s, beside a program at %i, it is at %i', async (port, programPort, expected) => {
  const asked: string[] = []
  const variables = { PAYMENT_SANDBOX_PORT: port, PAYMENT_SANDBOX_PUBLIC_URL: undefined }
  const open = sandboxModule.read(variables, { isProduction: false, port: programPort })
  const { provider } = await open({
    callbackUrl: () => '',
    localCallbackUrl: () => '',
    publicUrl: 'http://127.0.0.1',
    dataFolder: folder,
    listenAddress: '127.0.0.1',
    keys: { paymentSandboxApi: Buffer.alloc(1), paymentSandboxIpn: Buffer.alloc(1) },
    startsGateway: false,
    fetch: async (url) => {
      asked.push(url instanceof Request ? url.url : url.toString())
      return Response.json({}, { status: 404 })
    },
    now: Date.now,
  })
  await provider.fetchPayment('5', new AbortController().signal)
  expect(asked).toEqual([`http://127.0.0.1:${expected}/v1/payment/5`])
})
