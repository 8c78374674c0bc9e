import type { FastifyInstance } from 'fastify'
import policies from './policies.json' with { type: 'json' }
import type { WebPages } from './web-app.ts'

const apiPolicy =
  "default-src 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'"

/**
 * What every answer says: its request's id, the OWASP Secure Headers, and of the API that nobody
 * stores it. They are a table set by one synchronous hook: what each answer pays for, every figure
 * of the API pays for.
 * @param pages the built web app, whose inline scripts and styles the policy names
 */
export function installStandardHeaders(
  app: FastifyInstance,
  { isHttps, pages }: { isHttps: boolean; pages: WebPages | undefined },
): void {
  const secure = { ...policies.headers, ...(isHttps ? policies.headersOfHttps : {}) }
  // What is no page needs no list of what a page may load, which has kilobytes. Answers of the API
  // are a person's own; what may be cached says so itself.
  const ofApi = { ...secure, 'content-security-policy': apiPolicy, 'cache-control': 'no-store' }
  const ofPages = { ...secure, 'content-security-policy': pagePolicy(isHttps, pages) }
  app.addHook('onRequest', (request, reply, done) => {
    void reply.headers(request.url.startsWith('/api/') ? ofApi : ofPages)
    void reply.header('x-request-id', request.id)
    done()
  })
}

/** Strict; only web/src/api/trusted-types.ts's Trusted Types policy; `blob:` for made pictures. */
function pagePolicy(isHttps: boolean, pages: WebPages | undefined): string {
  const { page } = policies
  const sources = {
    ...page,
    'script-src': [...page['script-src'], ...(pages?.scriptHashes ?? [])],
    'style-src': [...page['style-src'], ...(pages?.styleHashes ?? [])],
    ...(isHttps ? { 'upgrade-insecure-requests': [] } : {}),
  }
  return Object.entries(sources)
    .map(([name, values]) => [name, ...values].join(' '))
    .join('; ')
}
