import { listRoutes } from '@starside/contract/routes/list-routes.ts'
import { documentRoutes } from '@starside/contract/routes/service-routes.ts'
import type { FastifyInstance } from 'fastify'
import { guardsOf } from '../../accounts/auth/session.ts'
import type { Context } from '../context.ts'
import { sendHtml, html } from '../../platform/http/html.ts'
import { keepNewest } from '../../platform/keep-newest.ts'
import { serveRoutes } from '../../platform/http/serve-routes.ts'
import { systemVersion } from '../../platform/settings/system-version.ts'
import { buildOpenApi, failureStatuses, toJsonSchema } from './build-document.ts'
import { readFileSync } from 'node:fs'
import { errorTable } from '@starside/contract/errors.ts'
import type { ErrorCode } from '@starside/contract/errors.ts'
import { z } from 'zod'
import type { Html } from '../../platform/http/html.ts'
import type { RouteDescription } from '@starside/contract/routes/list-routes.ts'

/** `GET /api/openapi.json` and `GET /api/docs`: the API told to programs and to people. */
export async function openApiRoutes(
  app: FastifyInstance,
  { context }: { context: Pick<Context, 'config' | 'findSession' | 'limits' | 'site'> },
): Promise<void> {
  const { publicUrl } = context.config
  const routes = listRoutes()
  const siteName = () => context.site.values()['brand.name']
  // Both take many milliseconds.
  const [documentOf, docsOf] = [keepNewest<string>(1), keepNewest<Html>(1)]
  const about = () => ({ publicUrl, version: systemVersion, siteName: siteName() })

  serveRoutes(app, guardsOf(context), documentRoutes, {
    'GET /api/openapi.json': async ({ reply }) =>
      reply
        .type('application/json')
        .header('cache-control', 'public, max-age=300')
        // Public, and of use to tools on other pages.
        .header('access-control-allow-origin', '*')
        .send(documentOf(siteName(), () => JSON.stringify(buildOpenApi(routes, about())))),
    'GET /api/docs': async ({ reply }) =>
      sendHtml(reply.header('cache-control', 'public, max-age=300'), {
        title: `${siteName()} API`,
        style: docsStyle,
        body: docsOf(siteName(), () => docsPage(routes, about())),
      }),
  })
}

const docsStyle = readFileSync(new URL('docs-page.css', import.meta.url), 'utf8')

function docsPage(
  routes: readonly RouteDescription[],
  { publicUrl, siteName }: { publicUrl: string; siteName: string },
): Html {
  const groups = [...new Set(routes.map(({ group }) => group))]
  return html`<main>
    <h1>${siteName} API</h1>
    <p>
      Calls that need a person take <code>Authorization: Bearer TOKEN</code> with the token that
      register and login give. A failed call answers
      <code>{"success": false, "error": "…", "code": "…"}</code>; the code is stable. The same as
      OpenAPI 3.1 for programs: <a href="/api/openapi.json">openapi.json</a>.
    </p>
    <nav>${groups.map((group) => html`<a href="#${slug(group)}">${group}</a> `)}</nav>
    ${groups.map(
      (group) =>
        html`<h2 id="${slug(group)}">${group}</h2>
          ${routes.filter((route) => route.group === group).map((route) => describe(route, publicUrl))}`,
    )}
  </main>`
}

function slug(text: string): string {
  return text.toLowerCase().replaceAll(/[^a-z]+/g, '-')
}

function address({ path, action }: RouteDescription): string {
  return action === undefined ? path : `${path}?action=${action}`
}

function describe(route: RouteDescription, publicUrl: string): Html {
  const statuses = [...failureStatuses([route])].toSorted(([a], [b]) => a - b)
  return html`<h3><b>${route.method}</b> ${address(route)}</h3>
    <p>
      ${route.summary} ${route.access !== 'anybody' && 'Needs a bearer token.'}
      ${route.repeatable === true && 'Takes an Idempotency-Key.'}
    </p>
    <pre>${curl(route, publicUrl)}</pre>
    ${route.query !== undefined && fields('Query', route.query, 'input')}
    ${route.body !== undefined && fields('Body', route.body.schema, 'input')}
    ${Object.entries(route.answers).map(([status, answer]) =>
      'mediaTypes' in answer
        ? html`<p>Answers ${status} with <code>${answer.mediaTypes.join(', ')}</code>.</p>`
        : fields(`Answer ${status}. ${answer.note ?? ''}`, answer.schema, 'output'),
    )}
    <details>
      <summary>Refusals</summary>
      <table>
        ${statuses.flatMap(([status, codes]) => codes.map((code) => refusal(status, code)))}
      </table>
    </details>`
}

function refusal(status: number, code: ErrorCode): Html {
  return html`<tr>
    <td>${status}</td>
    <td><code>${code}</code></td>
    <td>${errorTable[code].sentence}</td>
  </tr>`
}

function fields(title: string, schema: z.ZodType, io: 'input' | 'output'): Html {
  return html`<details>
    <summary>${title}</summary>
    <pre>${JSON.stringify(toJsonSchema(schema, io), null, 2)}</pre>
  </details>`
}

function curl(route: RouteDescription, publicUrl: string): string {
  const query = Object.keys(route.query?.shape ?? {}).map((name) => `${name}=…`)
  const separator = route.action === undefined ? '?' : '&'
  const url = publicUrl + address(route) + (query.length === 0 ? '' : separator + query.join('&'))
  const lines = [`curl ${route.method === 'GET' ? '' : `-X ${route.method} `}'${url}'`]
  if (route.access !== 'anybody') lines.push('-H "Authorization: Bearer $TOKEN"')
  if (route.repeatable === true) lines.push('-H "Idempotency-Key: $(uuidgen)"')
  if (route.body !== undefined) lines.push(...curlBody(route.body))
  return lines.join(' \\\n  ')
}

function curlBody({ mediaType, schema, files = [] }: NonNullable<RouteDescription['body']>) {
  const names = schema instanceof z.ZodObject ? Object.keys(schema.shape) : []
  if (mediaType === 'multipart/form-data') {
    return names.map((name) => `-F ${name}=${files.includes(name) ? '@photo.jpg' : '…'}`)
  }
  const example = Object.fromEntries(names.map((name) => [name, '…']))
  return ['-H "Content-Type: application/json"', `-d '${JSON.stringify(example)}'`]
}
