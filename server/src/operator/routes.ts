import fastifyMultipart from '@fastify/multipart'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { OperatorParts } from './parts.ts'
import { AppError } from '../platform/errors/app-error.ts'
import { OperatorError } from './operator-page.ts'
import { operatorPages } from './operator-pages.ts'
import { createOperatorCookies } from './cookies.ts'
import { openAppStyles, sendError } from './frame.ts'
import { serveOperatorPage } from './serve-operator-page.ts'
import { signInRoutes } from './sign-in.ts'

/** `/admin`: the operator's pages, without need of a script, signed in by a cookie of its own. */
export async function operatorRoutes(
  app: FastifyInstance,
  { context }: { context: OperatorParts },
): Promise<void> {
  const cookies = createOperatorCookies(context.config.publicUrl.startsWith('https:'))
  const appStyles = await openAppStyles()
  const look = () => {
    const values = context.site.values()
    return { siteName: values['brand.name'], styleSheets: appStyles(values) }
  }

  app.removeAllContentTypeParsers()
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string', bodyLimit: 256 * 1024 },
    (_request, body, done) => done(null, new URLSearchParams(String(body))),
  )
  await app.register(fastifyMultipart)
  app.addHook('onRequest', async (request, reply) => {
    void reply.header('cache-control', 'no-store').header('x-robots-tag', 'noindex')
    if (request.method !== 'GET' && !isFromOurPage(request)) throw new AppError('not_found')
  })
  app.setErrorHandler((error, _request, reply) => {
    if (!(error instanceof AppError || error instanceof OperatorError)) throw error
    if (error instanceof AppError && error.retryAfterSeconds !== undefined) {
      void reply.header('retry-after', Math.ceil(error.retryAfterSeconds))
    }
    return sendError(reply.status(error.status), look(), error.message)
  })

  app.get('/admin/', (_request, reply) => reply.redirect('/admin', 303))
  for (const page of operatorPages) serveOperatorPage(app, { context, cookies, look }, page)
  await app.register(signInRoutes, { context, cookies, look })
}

/**
 * Refuses forms of other sites, beside token and cookie: browsers say where a form comes from
 * (Fetch Metadata, section 2.3; RFC 6454, section 7). What says neither is no browser's form.
 */
function isFromOurPage(request: FastifyRequest): boolean {
  const site = request.headers['sec-fetch-site']
  if (site !== undefined) return site === 'same-origin'
  const { origin } = request.headers
  return origin !== undefined && URL.parse(origin)?.host === request.headers.host
}
