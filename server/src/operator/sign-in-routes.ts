import type { FastifyInstance, FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { OperatorParts } from './parts.ts'
import { parseInput } from '../platform/http/parse-input.ts'
import { OperatorError } from './operator-error.ts'
import { readOperatorCookie } from './cookies.ts'
import type { OperatorCookies } from './cookies.ts'
import { sendSignIn } from './frame.ts'
import type { Look } from './frame.ts'
import { makeOperatorDevice, readOperatorDevice } from './operator-device.ts'
import { isCsrfToken, operatorSessionMs, signOutOperator } from './operator-sessions.ts'
import { findSignedIn } from './serve-operator-page.ts'
import { signInOperator } from './sign-in.ts'

const signInFields = z.object({
  name: z.string().trim().toLowerCase().max(80).default(''),
  secret: z.string().trim().max(300),
  code: z.string().max(60).default(''),
})

/** An operator's way in and out, by forms that `operatorRoutes` reads. */
export async function signInRoutes(
  app: FastifyInstance,
  {
    context,
    cookies,
    look,
  }: { context: OperatorParts; cookies: OperatorCookies; look: () => Look },
): Promise<void> {
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
      return sendSignIn(reply.status(401), look(), { text, name: input.name })
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
      throw new OperatorError(403, 'This form is out of date. Please go back and send it again.')
    }
    await signOutOperator(context, signedIn.secret)
    cookies.clearSession(reply)
    return reply.redirect('/admin', 303)
  })
}

function fieldsOf(request: FastifyRequest): Record<string, string> {
  return request.body instanceof URLSearchParams ? Object.fromEntries(request.body) : {}
}
