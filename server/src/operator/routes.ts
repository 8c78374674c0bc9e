import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { Context } from '../context.ts'
import { AppError } from '../errors/app-error.ts'
import { html, sendHtml } from '../http/html.ts'
import type { Html } from '../http/html.ts'
import { parseInput } from '../http/parse-input.ts'
import { resolveFlag } from '../orders/raise-flag.ts'
import { resolveReport } from '../reports/resolve-report.ts'
import { setSuspension } from '../reports/suspend-user.ts'
import {
  findOperator,
  operatorSessionMs,
  signInOperator,
  signOutOperator,
} from './operator-keys.ts'
import type { Operator } from './operator-keys.ts'
import { operatorStyle } from './operator-style.ts'
import {
  booksPage,
  generationsPage,
  ordersPage,
  overviewPage,
  presetsPage,
  reportsPage,
  usersPage,
} from './pages.ts'

const cookieName = 'starside_operator'

const reason = z.string().trim().min(1).max(500)
const usersQuery = z.object({ q: z.string().max(200).default('') })

interface Page {
  path: string
  title: string
  body(request: FastifyRequest): Promise<Html> | Html
}

/**
 * `/admin`: the operator's pages, made by the server, without a script. Their sign-in is their own:
 * a cookie for this path alone, which no user's token opens.
 */
export async function operatorRoutes(
  app: FastifyInstance,
  { context }: { context: Context },
): Promise<void> {
  const isHttps = context.config.publicUrl.startsWith('https:')
  const cookie = (value: string, maxAgeSeconds: number) =>
    `${cookieName}=${value}; Path=/admin; HttpOnly; SameSite=Strict; Max-Age=${maxAgeSeconds}` +
    (isHttps ? '; Secure' : '')

  app.removeAllContentTypeParsers()
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string', bodyLimit: 16 * 1024 },
    (_request, body, done) => done(null, Object.fromEntries(new URLSearchParams(String(body)))),
  )
  app.addHook('onRequest', async (request, reply) => {
    void reply.header('cache-control', 'no-store').header('x-robots-tag', 'noindex')
    if (request.method !== 'GET' && !isFromOurPage(request)) throw new AppError('not_found')
  })

  const pages: Page[] = [
    { path: '/admin', title: 'Overview', body: () => overviewPage(context) },
    {
      path: '/admin/users',
      title: 'Accounts',
      body: (request) => usersPage(context, parseInput(usersQuery, request.query).q.trim()),
    },
    { path: '/admin/orders', title: 'Orders', body: () => ordersPage(context) },
    { path: '/admin/selfies', title: 'Selfies', body: () => generationsPage(context) },
    { path: '/admin/reports', title: 'Reports', body: () => reportsPage(context) },
    { path: '/admin/presets', title: 'Presets', body: () => presetsPage(context.presets) },
    { path: '/admin/books', title: 'Books', body: () => booksPage(context) },
  ]
  for (const page of pages) {
    app.get(page.path, async (request, reply) => {
      const operator = await findRequestOperator(context, request)
      if (operator === undefined) return sendSignIn(reply.status(401))
      return sendHtml(reply, {
        title: `${page.title} · Starside admin`,
        style: operatorStyle,
        takesForms: true,
        body: html`${header(pages, page.path, operator)}
          <main>
            <h1>${page.title}</h1>
            ${await page.body(request)}
          </main>`,
      })
    })
  }

  app.post('/admin/sign-in', async (request, reply) => {
    const { secret } = parseInput(z.object({ secret: z.string().max(300) }), request.body)
    const session = await signInOperator(context, { secret: secret.trim(), address: request.ip })
    if (session === undefined) {
      request.log.warn('a sign-in to the admin page failed')
      return sendSignIn(reply.status(401), 'This is neither the password nor a valid token.')
    }
    return reply
      .header('set-cookie', cookie(session, operatorSessionMs / 1_000))
      .redirect('/admin', 303)
  })

  app.post('/admin/sign-out', async (request, reply) => {
    const secret = readCookie(request)
    if (secret !== undefined) await signOutOperator(context, secret)
    return reply.header('set-cookie', cookie('', 0)).redirect('/admin', 303)
  })

  app.post('/admin/acts/:act', async (request, reply) => {
    const operator = await findRequestOperator(context, request)
    if (operator === undefined) return sendSignIn(reply.status(401))
    const { act } = request.params as { act: string }
    const run = Object.hasOwn(acts, act) ? acts[act] : undefined
    if (run === undefined) throw new AppError('not_found')
    const isDone = await run.act(context, request.body)
    request.log.info({ operator: operator.name, act, isDone }, 'an operator acted')
    return reply.redirect(run.back, 303)
  })
}

/** What an operator can do here; each says in the end where to go back to. */
const acts: Record<
  string,
  { back: string; act(context: Context, body: unknown): Promise<boolean> }
> = {
  'resolve-flag': {
    back: '/admin/orders',
    async act({ database, clock }, body) {
      const input = parseInput(z.object({ flagId: z.string().regex(/^\d{1,18}$/), reason }), body)
      return resolveFlag(database, {
        flagId: input.flagId,
        resolution: input.reason,
        now: clock(),
      })
    },
  },
  suspend: {
    back: '/admin/users',
    act: (context, body) => changeSuspension(context, body, true),
  },
  unsuspend: {
    back: '/admin/users',
    act: (context, body) => changeSuspension(context, body, false),
  },
  'keep-picture': {
    back: '/admin/reports',
    async act(context, body) {
      const input = parseInput(z.object({ reportId: z.uuid(), reason }), body)
      return resolveReport(context, {
        reportId: input.reportId,
        outcome: 'kept',
        note: input.reason,
      })
    },
  },
}

async function changeSuspension(context: Context, body: unknown, suspended: boolean) {
  const input = parseInput(z.object({ email: z.string().max(300), reason }), body)
  return (await setSuspension(context, { ...input, suspended })) !== undefined
}

async function findRequestOperator(
  context: Context,
  request: FastifyRequest,
): Promise<Operator | undefined> {
  const secret = readCookie(request)
  return secret === undefined ? undefined : findOperator(context, { kind: 'session', secret })
}

function readCookie(request: FastifyRequest): string | undefined {
  const match = /(?:^|;\s*)starside_operator=([\w-]{20,200})(?:;|$)/.exec(
    request.headers.cookie ?? '',
  )
  return match?.[1]
}

/**
 * Forms of other sites are refused, beside the cookie that isn't sent with them: browsers tell
 * where a form comes from (Fetch Metadata, section 2.3; RFC 6454, section 7).
 */
function isFromOurPage(request: FastifyRequest): boolean {
  const site = request.headers['sec-fetch-site']
  if (site !== undefined) return site === 'same-origin'
  const { origin } = request.headers
  return origin === undefined || URL.parse(origin)?.host === request.headers.host
}

function sendSignIn(reply: FastifyReply, problem?: string): FastifyReply {
  return sendHtml(reply, {
    title: 'Starside admin',
    style: operatorStyle,
    takesForms: true,
    body: html`<main>
      <h1>Starside admin</h1>
      ${problem !== undefined && html`<p class="bad" role="alert">${problem}</p>`}
      <form method="post" action="/admin/sign-in">
        <label for="secret">Password or operator token</label>
        <input id="secret" name="secret" type="password" autocomplete="current-password" required />
        <button>Sign in</button>
      </form>
      <p>A token is made by <code>npm run admin -- operator token</code>.</p>
    </main>`,
  })
}

function header(pages: Page[], path: string, operator: Operator): Html {
  return html`<header>
    <b>Starside admin</b>
    ${pages.map(
      (page) =>
        html`<a href="${page.path}" ${page.path === path && html`aria-current="page"`}
          >${page.title}</a
        >`,
    )}
    <form method="post" action="/admin/sign-out"><button>Sign out ${operator.name}</button></form>
  </header>`
}
