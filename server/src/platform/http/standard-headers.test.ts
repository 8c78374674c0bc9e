import Fastify from 'fastify'
import { expect, test } from 'vitest'
import { installStandardHeaders } from './standard-headers.ts'
import type { WebPages } from './web-app.ts'

const pages = { scriptHashes: ["'sha256-script'"], styleHashes: ["'sha256-style'"] } as WebPages

async function headersOf(
  url: string,
  isHttps = true,
): Promise<Record<string, unknown> & { policy: string }> {
  await using app = Fastify()
  installStandardHeaders(app, { isHttps, pages })
  app.get('/*', async () => 'here')
  const { headers } = await app.inject(url)
  const told: Record<string, unknown> = headers
  return { ...told, policy: String(told['content-security-policy']) }
}

test('a page may run the scripts and styles that were built into it, and nothing that is inline', async () => {
  const { policy, ...headers } = await headersOf('/gallery')
  expect(policy).toMatch(/script-src [^;]*'self'[^;]* 'sha256-script'/)
  expect(policy).toMatch(/style-src [^;]*'self'[^;]* 'sha256-style'/)
  expect(policy).not.toMatch(/script-src [^;]*unsafe-inline/)
  expect(headers['cache-control']).toBeUndefined()
  expect(headers['x-request-id']).toEqual(expect.any(String))
})

test('an answer of the API may load nothing and is stored nowhere', async () => {
  const { policy, ...headers } = await headersOf('/api/config')
  expect(policy).toMatch(/^default-src 'none'/)
  expect(policy).not.toContain('sha256-')
  expect(headers['cache-control']).toBe('no-store')
  expect((await headersOf('/apinothing'))['cache-control']).toBeUndefined()
})

test('only over https browsers are told to stay there', async () => {
  const [secure, open] = [await headersOf('/'), await headersOf('/', false)]
  expect(secure.policy).toContain('upgrade-insecure-requests')
  expect(secure['strict-transport-security']).toMatch(/^max-age=\d+/)
  expect(open.policy).not.toContain('upgrade-insecure-requests')
  expect(open['strict-transport-security']).toBeUndefined()
})
