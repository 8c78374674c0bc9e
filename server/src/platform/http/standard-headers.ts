import type { FastifyInstance } from 'fastify'
import type { WebPages } from './web-app.ts'

const apiPolicy =
  "default-src 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'"

/**
 * What every answer says: its request's id, the OWASP Secure Headers, and of the API that nobody
 * stores it. They are a table set by one synchronous hook: what each answer pays for, every figure
 * of the API pays for.
 * @param pages the built web app, whose inline scripts and styles the policy names
 * @param stopping once aborted, answers end their connection
 */
export function installStandardHeaders(
  app: FastifyInstance,
  options: { isHttps: boolean; pages: WebPages | undefined; stopping: AbortSignal },
): void {
  const { isHttps, pages, stopping } = options
  const secure = secureHeaders(isHttps)
  // What is no page needs no list of what a page may load, which has kilobytes. Answers of the API
  // are a person's own; what may be cached says so itself.
  const ofApi = { ...secure, 'content-security-policy': apiPolicy, 'cache-control': 'no-store' }
  const ofPages = { ...secure, 'content-security-policy': pagePolicy(isHttps, pages) }
  app.addHook('onRequest', (request, reply, done) => {
    void reply.headers(request.url.startsWith('/api/') ? ofApi : ofPages)
    void reply.header('x-request-id', request.id)
    // Connections are given up one by one before the program closes them all.
    if (stopping.aborted) void reply.header('connection', 'close')
    done()
  })
}

/** The OWASP Secure Headers Project's list, without the Content-Security-Policy. */
function secureHeaders(isHttps: boolean): Record<string, string> {
  return {
    'cross-origin-opener-policy': 'same-origin-allow-popups',
    'cross-origin-resource-policy': 'same-site',
    'origin-agent-cluster': '?1',
    'permissions-policy': 'camera=(self), microphone=(), geolocation=()',
    'referrer-policy': 'strict-origin-when-cross-origin',
    'x-content-type-options': 'nosniff',
    'x-dns-prefetch-control': 'off',
    'x-download-options': 'noopen',
    'x-frame-options': 'DENY',
    'x-permitted-cross-domain-policies': 'none',
    'x-xss-protection': '0',
    ...(isHttps ? { 'strict-transport-security': 'max-age=31536000; includeSubDomains' } : {}),
  }
}

/** Strict, with Trusted Types. Pictures that the browser makes itself are `blob:`. */
function pagePolicy(isHttps: boolean, pages: WebPages | undefined): string {
  const sources = {
    'default-src': ["'none'"],
    'script-src': ["'self'", ...(pages?.scriptHashes ?? [])],
    'style-src': ["'self'", ...(pages?.styleHashes ?? [])],
    'img-src': ["'self'", 'blob:', 'data:'],
    'media-src': ["'self'", 'blob:'],
    'font-src': ["'self'"],
    'connect-src': ["'self'"],
    'worker-src': ["'self'", 'blob:'],
    'manifest-src': ["'self'"],
    'form-action': ["'self'"],
    'base-uri': ["'none'"],
    'frame-ancestors': ["'none'"],
    'require-trusted-types-for': ["'script'"],
    // The one policy of web/src/api/trusted-types.ts; any other, and a second of this name, is refused.
    'trusted-types': ['default'],
    ...(isHttps ? { 'upgrade-insecure-requests': [] } : {}),
  }
  return Object.entries(sources)
    .map(([name, values]) => [name, ...values].join(' '))
    .join('; ')
}
