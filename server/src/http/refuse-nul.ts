import type { FastifyInstance } from 'fastify'
import { AppError } from './app-error.ts'

/** An escaped U+0000 of JSON; a backslash before it would be a text that merely looks like one. */
const escapedNul = /(?<!\\)(?:\\\\)*\\u0000/

/**
 * Refuses U+0000 in addresses and JSON bodies. PostgreSQL stores it in no text and fails the
 * statement, so that every field of every call would have to look for it by itself.
 */
export function refuseNul(app: FastifyInstance): void {
  app.addHook('onRequest', (request, _reply, done) => {
    done(request.url.includes('%00') ? nulError() : undefined)
  })
  const parse = app.getDefaultJsonParser('error', 'error')
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    if (escapedNul.test(String(body))) done(nulError())
    else parse(request, String(body), done)
  })
}

/** Throws `invalid_request` for a text that a form sent. */
export function assertNoNul(text: string): void {
  if (text.includes('\0')) throw nulError()
}

function nulError(): AppError {
  return new AppError('invalid_request', { sentence: 'Texts may not hold the character U+0000.' })
}
