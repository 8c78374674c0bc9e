import { errorTable } from '@starside/contract/errors.ts'
import type { ErrorCode } from '@starside/contract/errors.ts'
import { z } from 'zod'
import { html } from '../../platform/http/html.ts'
import type { Html } from '../../platform/http/html.ts'
import { failureStatuses } from './build-document.ts'
import type { RouteDescription } from '@starside/contract/routes/list-routes.ts'

export const docsStyle = `
:root { color-scheme: light dark; --ink: #1b1a18; --paper: #f7f5f0; --red: #b3261e; --line: #8884 }
@media (prefers-color-scheme: dark) { :root { --ink: #efe9df; --paper: #171412; --red: #ff6f5e } }
body { margin: 0 auto; max-width: 60rem; padding: 2rem 1rem 6rem; color: var(--ink);
  background: var(--paper); font: 1rem/1.5 system-ui, sans-serif }
h2 { margin: 3rem 0 0; border-bottom: 2px solid var(--ink) }
h3 { margin: 2rem 0 .25rem; font: 600 1rem/1.4 ui-monospace, monospace; overflow-wrap: anywhere }
h3 b { color: var(--red) }
pre { overflow-x: auto; padding: .75rem; border: 1px solid var(--line) }
table { border-collapse: collapse; width: 100% } td, th { text-align: left; padding: .25rem .75rem
  .25rem 0; border-bottom: 1px solid var(--line); vertical-align: top; overflow-wrap: anywhere }
a { color: inherit } nav a { margin-right: 1rem } :target { outline: 2px solid var(--red) }
summary { cursor: pointer }
`

/** The table of routes as a page for people. */
export function docsPage(
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
      ${route.summary} ${route.access === 'user' && 'Needs a bearer token.'}
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
  const { $schema: _dialect, ...converted } = z.toJSONSchema(schema, { io, unrepresentable: 'any' })
  return html`<details>
    <summary>${title}</summary>
    <pre>${JSON.stringify(converted, null, 2)}</pre>
  </details>`
}

function curl(route: RouteDescription, publicUrl: string): string {
  const query = Object.keys(route.query?.shape ?? {}).map((name) => `${name}=…`)
  const separator = route.action === undefined ? '?' : '&'
  const url = publicUrl + address(route) + (query.length === 0 ? '' : separator + query.join('&'))
  const lines = [`curl ${route.method === 'GET' ? '' : `-X ${route.method} `}'${url}'`]
  if (route.access === 'user') lines.push('-H "Authorization: Bearer $TOKEN"')
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
