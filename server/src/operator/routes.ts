import fastifyMultipart from '@fastify/multipart'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { Context } from '../context.ts'
import { AppError } from '../errors/app-error.ts'
import { html, sendHtml } from '../http/html.ts'
import { parseInput } from '../http/parse-input.ts'
import { AdminError } from './admin-error.ts'
import { adminPages } from './admin-pages.ts'
import { createOperatorCookies, readOperatorCookie } from './cookies.ts'
import { sendSignIn } from './frame.ts'
import { makeOperatorDevice, readOperatorDevice } from './operator-device.ts'
import { isCsrfToken, operatorSessionMs, signOutOperator } from './operator-sessions.ts'
import { operatorStyle } from './operator-style.ts'
import { findSignedIn, serveAdminPage } from './serve-admin-page.ts'
import { signInOperator } from './sign-in.ts'

const signInFields = z.object({
  name: z.string().trim().toLowerCase().max(80).default(''),
  secret: z.string().trim().max(300),
  code: z.string().max(60).default(''),
})

/**
 * `/admin`: the operator's pages, made by the server, without a script. Their sign-in is their own:
 * a cookie for this path alone, which no user's token opens.
 */
export async function operatorRoutes(
  app: FastifyInstance,
  { context }: { context: Context },
): Promise<void> {
  const cookies = createOperatorCookies(context.config.publicUrl.startsWith('https:'))
  const siteName = () => context.site.values()['brand.name']

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
    if (!(error instanceof AppError || error instanceof AdminError)) throw error
    if (error instanceof AppError && error.retryAfterSeconds !== undefined) {
      void reply.header('retry-after', Math.ceil(error.retryAfterSeconds))
    }
    return sendError(reply.status(error.status), error.message)
  })

  for (const page of adminPages) serveAdminPage(app, { context, pages: adminPages, cookies }, page)

  app.post('/admin/sign-in', async (request, reply) => {
    const input = parseInput(signInFields, fieldsOf(request))
    const { operatorDevices: key } = context.keys
    const knownDevice = readOperatorCookie(request, 'device') ?? ''
    const session = await signInOperator(context, {
      ...input,
      address: request.ip,
      userAgent: request.headers['user-agent'] ?? '',
      device: readOperatorDevice(input.name, knownDevice, key),
    })
    if (session === undefined) {
      request.log.warn('a sign-in to the admin page failed')
      const text =
        input.name === ''
          ? 'This is neither the password nor a valid token.'
          : 'Name, password or code is wrong.'
      return sendSignIn(reply.status(401), siteName(), { text, name: input.name })
    }
    if (input.name !== '') {
      const { randomBytes } = context
      cookies.setDevice(reply, makeOperatorDevice(input.name, { key, randomBytes }))
    }
    cookies.setSession(reply, session, operatorSessionMs / 1_000)
    return reply.redirect('/admin', 303)
  })

  app.post('/admin/sign-out', async (request, reply) => {
    const signedIn = await findSignedIn(context, request)
    if (signedIn === undefined) return reply.redirect('/admin', 303)
    if (!isCsrfToken(signedIn.secret, fieldsOf(request)['csrf'])) {
      throw new AdminError(403, 'This form is out of date. Please go back and send it again.')
    }
    await signOutOperator(context, signedIn.secret)
    cookies.clearSession(reply)
    return reply.redirect('/admin', 303)
  })
}

function fieldsOf(request: FastifyRequest): Record<string, string> {
  return request.body instanceof URLSearchParams ? Object.fromEntries(request.body) : {}
}

/**
 * Forms of other sites are refused, beside the token that they don't know and the cookie that isn't
 * sent with them: browsers say where a form comes from (Fetch Metadata, section 2.3; RFC 6454,
 * section 7). What says neither is no browser's form.
 */
function isFromOurPage(request: FastifyRequest): boolean {
  const site = request.headers['sec-fetch-site']
  if (site !== undefined) return site === 'same-origin'
  const { origin } = request.headers
  return origin !== undefined && URL.parse(origin)?.host === request.headers.host
}

function sendError(reply: FastifyReply, sentence: string): FastifyReply {
  return sendHtml(reply, {
    title: sentence,
    style: operatorStyle,
    body: html`<main class="narrow">
      <h1>Not done</h1>
      <p role="alert">${sentence}</p>
      <p><a href="/admin">Back to the overview</a></p>
    </main>`,
  })
}
