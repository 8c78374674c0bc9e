import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { OperatorParts } from './parts.ts'
import { OperatorError } from './operator-error.ts'
import type {
  OperatorCall,
  OperatorForm,
  OperatorPage,
  Told,
  FormOutcome,
  RefusedForm,
  SubmittedForm,
} from './operator-page.ts'
import { createOperatorCookies, readOperatorCookie } from './cookies.ts'
import { sendFramed, sendSignIn } from './frame.ts'
import type { Look } from './frame.ts'
import { csrfTokenOf, findOperator, isCsrfToken } from './operator-sessions.ts'
import type { Operator } from './operator-sessions.ts'
import { readForm } from './read-form.ts'
import { mayDo } from './roles.ts'
import type { OperatorRight } from './roles.ts'
import { runLogged } from './run-logged.ts'

/** Whoever sent a request, with the secret of their session. */
interface SignedIn {
  operator: Operator
  secret: string
}

interface Parts {
  context: OperatorParts
  pages: readonly OperatorPage[]
  cookies: ReturnType<typeof createOperatorCookies>
  look: () => Look
}

/**
 * Registers a page with its forms and downloads. Before anything of it runs: somebody is signed in,
 * their role may do it, and a form carries the session's token. What a form did is logged.
 */
export function serveOperatorPage(app: FastifyInstance, parts: Parts, page: OperatorPage): void {
  const { context, cookies } = parts
  app.get(page.path, (request, reply) =>
    asOperator(parts, { request, reply, right: page.right }, async (signedIn) => {
      const told = cookies.takeTold(request, reply)
      const call = { ...makeCall(parts, page, { request, signedIn }), done: told }
      return sendPage(parts, page, { reply, call, told })
    }),
  )
  for (const [name, form] of Object.entries(page.forms ?? {})) {
    const path = `${page.path}/${name}`
    // Who reloads a page that shows a refused form gets the page itself.
    app.get(path, (request, reply) => reply.redirect(fillPath(page.path, request), 303))
    app.post(path, (request, reply) =>
      asOperator(parts, { request, reply, right: form.right }, async (signedIn) => {
        const submitted = await readForm(request, form.fileBytesMax)
        if (!isCsrfToken(signedIn.secret, submitted.fields['csrf'])) {
          return sendProblem(parts, { request, reply, page, signedIn }, expiredForm)
        }
        const call = makeCall(parts, page, { request, signedIn })
        const outcome = await submitLogged(context, { page, name, form, call, submitted })
        return answerForm(parts, { page, name, reply, call, submitted, outcome })
      }),
    )
  }
  for (const [name, download] of Object.entries(page.downloads ?? {})) {
    app.get(`${page.path}/${name}`, (request, reply) =>
      asOperator(parts, { request, reply, right: download.right }, (signedIn) =>
        download.send(makeCall(parts, page, { request, signedIn }), reply),
      ),
    )
  }
}

const expiredForm = 'This form is out of date. Nothing was changed; please send it again.'

/** Runs `run` for whoever is signed in and has that right; answers everybody else. */
async function asOperator(
  parts: Parts,
  { request, reply, right }: { request: FastifyRequest; reply: FastifyReply; right: OperatorRight },
  run: (signedIn: SignedIn) => Promise<FastifyReply>,
): Promise<FastifyReply> {
  const signedIn = await findSignedIn(parts.context, request)
  if (signedIn === undefined) return sendSignIn(reply.status(401), parts.look())
  assertMayDo(signedIn.operator, right)
  return run(signedIn)
}

function assertMayDo({ role }: Operator, right: OperatorRight): void {
  if (!mayDo(role, right)) throw new OperatorError(403, `Your role, ${role}, may not ${right}.`)
}

/** The operator whose session's cookie came with a request. */
export async function findSignedIn(
  context: Pick<OperatorParts, 'database' | 'clock'>,
  request: FastifyRequest,
): Promise<SignedIn | undefined> {
  const secret = readOperatorCookie(request, 'session')
  if (secret === undefined) return undefined
  const operator = await findOperator(context, { kind: 'session', secret })
  return operator === undefined ? undefined : { operator, secret }
}

function makeCall(
  { context }: Parts,
  page: OperatorPage,
  { request, signedIn }: { request: FastifyRequest; signedIn: SignedIn },
): OperatorCall {
  const { operator, secret } = signedIn
  return {
    context,
    operator,
    params: request.params as Record<string, string>,
    query: firstOfEach(request.query as Record<string, unknown>),
    csrfToken: csrfTokenOf(secret),
    path: fillPath(page.path, request),
    refused: undefined,
    done: undefined,
    may: (right) => mayDo(operator.role, right),
  }
}

function firstOfEach(query: Record<string, unknown>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(query).map(([name, value]) => [
      name,
      String(Array.isArray(value) ? value[0] : value),
    ]),
  )
}

function fillPath(pattern: string, request: FastifyRequest): string {
  const params = request.params as Record<string, string>
  return pattern.replaceAll(/:(\w+)/g, (_whole, name: string) =>
    encodeURIComponent(params[name] ?? ''),
  )
}

async function sendPage(
  { pages, look }: Parts,
  page: OperatorPage,
  { reply, call, told }: { reply: FastifyReply; call: OperatorCall; told: Told | undefined },
): Promise<FastifyReply> {
  const body = await page.show(call)
  if (body === undefined) throw new OperatorError(404, 'There is no such thing.')
  const { operator, csrfToken } = call
  const frame = { look: look(), pages, current: page.path, operator, csrfToken }
  return sendFramed(reply, frame, { page, told, body })
}

/** Submits a form; what it does stands in the log, by the name of its act or of page and form. */
async function submitLogged(
  context: OperatorParts,
  options: {
    page: OperatorPage
    name: string
    form: OperatorForm
    call: OperatorCall
    submitted: SubmittedForm
  },
): Promise<FormOutcome> {
  const { page, name, form, call, submitted } = options
  const { operator, params } = call
  const act = form.name ?? `${page.title}: ${name}`
  const id = Object.values(params)[0] ?? submitted.fields['id'] ?? ''
  const outcome = await runLogged(
    context,
    { operator, act, fields: { ...submitted.fields, id } },
    () => form.submit(call, submitted),
  )
  const isDone = !('refused' in outcome)
  // What the next page shows is what this form changed.
  if (isDone) {
    await Promise.all([
      context.site.refresh(),
      context.presets.refresh(),
      context.legalTexts.refresh(),
    ])
  }
  context.log.info({ operator: operator.name, act, isDone }, 'an operator acted')
  return outcome
}

async function answerForm(
  parts: Parts,
  options: {
    page: OperatorPage
    name: string
    reply: FastifyReply
    call: OperatorCall
    submitted: SubmittedForm
    outcome: FormOutcome
  },
): Promise<FastifyReply> {
  const { page, name, reply, call, submitted, outcome } = options
  if ('done' in outcome) {
    const { row } = submitted.fields
    parts.cookies.setTold(reply, { kind: 'done', text: outcome.done, form: name, row })
    return reply.redirect(outcome.to ?? call.path, 303)
  }
  if ('page' in outcome) {
    const shown = { ...page, show: () => outcome.page }
    return sendPage(parts, shown, { reply, call, told: undefined })
  }
  const { csrf: _csrf, ...values } = submitted.fields
  const refused: RefusedForm = { form: name, values, problems: outcome.problems ?? {} }
  const told: Told = { kind: 'problem', text: outcome.refused }
  return sendPage(parts, page, { reply: reply.status(422), call: { ...call, refused }, told })
}

async function sendProblem(
  parts: Parts,
  options: {
    request: FastifyRequest
    reply: FastifyReply
    page: OperatorPage
    signedIn: SignedIn
  },
  text: string,
): Promise<FastifyReply> {
  const { request, reply, page, signedIn } = options
  // Who may send a form may not be allowed to see its page.
  assertMayDo(signedIn.operator, page.right)
  const call = makeCall(parts, page, { request, signedIn })
  return sendPage(parts, page, {
    reply: reply.status(403),
    call,
    told: { kind: 'problem', text },
  })
}
