import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { OperatorParts } from './parts.ts'
import { OperatorError } from './operator-page.ts'
import { Html, html } from '../platform/http/html.ts'
import type { OperatorCall, OperatorForm, OperatorPage } from './operator-page.ts'
import { readOperatorCookie } from './cookies.ts'
import type { OperatorCookies, Told } from './cookies.ts'
import { sendFramed, sendSignIn } from './frame.ts'
import type { Look } from './frame.ts'
import { csrfTokenOf, findOperator, isCsrfToken } from './operator-sessions.ts'
import type { Operator } from './operator-sessions.ts'
import { mayDo } from './roles.ts'
import type { OperatorRight } from './roles.ts'
import { runLogged } from './operator-log.ts'
import { AppError } from '../platform/errors/app-error.ts'

interface Visit {
  parts: PageParts
  page: OperatorPage
  request: FastifyRequest
  reply: FastifyReply
  /** Of the session. */
  secret: string
  call: OperatorCall
}

/** What all of the operator's pages are served with. */
export type PageParts = { context: OperatorParts; cookies: OperatorCookies; look: () => Look }

/** Registers a page, forms and downloads: sign-in, role and token come first; forms are logged. */
export function serveOperatorPage(
  app: FastifyInstance,
  parts: PageParts,
  page: OperatorPage,
): void {
  const asOperator =
    (right: OperatorRight, run: (visit: Visit) => Promise<FastifyReply>) =>
    async (request: FastifyRequest, reply: FastifyReply) => {
      const signedIn = await findSignedIn(parts.context, request)
      if (signedIn === undefined) return sendSignIn(reply.status(401), parts.look())
      const { operator, secret } = signedIn
      assertMayDo(operator, right)
      const { searchParams } = new URL(request.url, 'http://any.example')
      const call: OperatorCall = {
        context: parts.context,
        operator,
        params: request.params as Record<string, string>,
        query: Object.fromEntries([...searchParams].toReversed()),
        csrfToken: csrfTokenOf(secret),
        path: fillPath(page.path, request),
        refused: undefined,
        done: undefined,
        may: (asked) => mayDo(operator.role, asked),
      }
      return run({ parts, page, request, reply, secret, call })
    }
  app.get(
    page.path,
    asOperator(page.right, (visit) => {
      const told = parts.cookies.takeTold(visit.request, visit.reply)
      return sendPage(visit, told, { done: told })
    }),
  )
  for (const [name, form] of Object.entries(page.forms ?? {})) {
    const path = `${page.path}/${name}`
    // Who reloads a page that shows a refused form gets the page itself.
    app.get(path, (request, reply) => reply.redirect(fillPath(page.path, request), 303))
    app.post(
      path,
      asOperator(form.right, (visit) => submitForm(visit, name, form)),
    )
  }
  for (const [name, { right, send }] of Object.entries(page.downloads ?? {})) {
    app.get(
      `${page.path}/${name}`,
      asOperator(right, ({ call, reply }) => send(call, reply)),
    )
  }
}

function assertMayDo({ role }: Operator, right: OperatorRight): void {
  if (!mayDo(role, right)) throw new OperatorError(403, `Your role, ${role}, may not ${right}.`)
}

export async function findSignedIn(
  context: Pick<OperatorParts, 'database' | 'clock'>,
  request: FastifyRequest,
): Promise<{ operator: Operator; secret: string } | undefined> {
  const secret = readOperatorCookie(request, 'session')
  if (secret === undefined) return undefined
  const operator = await findOperator(context, { kind: 'session', secret })
  return operator === undefined ? undefined : { operator, secret }
}

function fillPath(pattern: string, request: FastifyRequest): string {
  const params = request.params as Record<string, string>
  return pattern.replaceAll(/:(\w+)/g, (_whole, name: string) =>
    encodeURIComponent(params[name] ?? ''),
  )
}

async function sendPage(visit: Visit, told: Told | undefined, changed: Partial<OperatorCall> = {}) {
  const shown = await visit.page.show({ ...visit.call, ...changed })
  if (shown === undefined) throw new OperatorError(404, 'There is no such page, or it is gone.')
  const { lead } = visit.page
  if (shown instanceof Html) {
    return sendBody(visit, html`${lead !== undefined && html`<p>${lead}</p>`} ${shown}`, told)
  }
  return sendBody({ ...visit, page: { ...visit.page, title: shown.name } }, shown.body, told)
}

function sendBody({ parts, page, reply, call }: Visit, body: Html, told?: Told): FastifyReply {
  const { operator, csrfToken } = call
  return sendFramed(reply, { look: parts.look(), page, operator, csrfToken, told, body })
}

const expiredForm = 'This form is out of date. Nothing was changed; please send it again.'

/** Submits a form; what it does stands in the log, by the name of its act or of page and form. */
async function submitForm(visit: Visit, name: string, form: OperatorForm): Promise<FastifyReply> {
  const { parts, page, request, reply, secret, call } = visit
  const submitted = await readForm(request, form.fileBytesMax)
  const { csrf, ...values } = submitted.fields
  if (!isCsrfToken(secret, csrf)) {
    // Who may send a form may not be allowed to see its page.
    assertMayDo(call.operator, page.right)
    void reply.status(403)
    return sendPage(visit, { kind: 'problem', text: expiredForm })
  }
  const { operator, params } = call
  const { site, presets, legalTexts, log } = parts.context
  const act = form.name ?? `${page.title}: ${name}`
  const id = Object.values(params)[0] ?? values['id'] ?? ''
  const logged = { operator, act, fields: { ...values, id } }
  const outcome = await runLogged(parts.context, logged, () => form.submit(call, submitted))
  const isDone = !('refused' in outcome)
  log.info({ operator: operator.name, act, isDone }, 'an operator acted')
  if (!isDone) {
    const refused = { form: name, values, problems: outcome.problems ?? {} }
    void reply.status(422)
    return sendPage(visit, { kind: 'problem', text: outcome.refused }, { refused })
  }
  // What the next page shows is what this form changed.
  await Promise.all([site.refresh(), presets.refresh(), legalTexts.refresh()])
  if ('page' in outcome) return sendBody(visit, outcome.page)
  const told: Told = { kind: 'done', text: outcome.done, form: name, row: values['row'] }
  parts.cookies.setTold(reply, told)
  return reply.redirect(outcome.to ?? call.path, 303)
}

/** Fields and files that a form may have. */
const partsMax = 200
const fieldBytesMax = 256 * 1024

/**
 * Reads a form in either encoding, within limits; several values of a name become lines. Files that nobody
 * chose are left out; one may have `fileBytesMax` bytes, undefined takes none.
 */
async function readForm(request: FastifyRequest, fileBytesMax: number | undefined) {
  const fields = new Map<string, string>()
  const files = new Map<string, Buffer>()
  const add = (name: string, value: string) => {
    const before = fields.get(name)
    const text = value.replaceAll('\r\n', '\n')
    fields.set(name, before ? `${before}\n${text}` : text)
  }
  if (!request.isMultipart()) {
    const body = request.body instanceof URLSearchParams ? request.body : new URLSearchParams()
    for (const [name, value] of body) add(name, value)
    return { fields: Object.fromEntries(fields), files: {} }
  }
  const limits = {
    parts: partsMax,
    fieldSize: fieldBytesMax,
    fileSize: fileBytesMax ?? 1,
    files: fileBytesMax === undefined ? 0 : 10,
  }
  for await (const part of request.parts({ limits })) {
    if (part.type === 'field') {
      if (part.valueTruncated) throw new AppError('body_too_large')
      add(part.fieldname, String(part.value))
      continue
    }
    const bytes = await part.toBuffer().catch(() => Promise.reject(new AppError('body_too_large')))
    if (bytes.length > 0) files.set(part.fieldname, bytes)
  }
  return { fields: Object.fromEntries(fields), files: Object.fromEntries(files) }
}
