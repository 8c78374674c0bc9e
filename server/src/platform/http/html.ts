import { createHash } from 'node:crypto'
import type { FastifyReply } from 'fastify'

/** A piece of HTML that is safe to put into a page. */
export class Html {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

type Value = Html | string | number | undefined | null | false | readonly Value[]

const entities: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** A template whose values are escaped, unless `Html`; lists are joined. Quote attribute values. */
export function html(texts: TemplateStringsArray, ...values: Value[]): Html {
  return new Html(texts.reduce((page, text, index) => page + render(values[index - 1]) + text))
}

function render(value: Value): string {
  if (value === undefined || value === null || value === false) return ''
  if (value instanceof Html) return value.text
  if (typeof value === 'object') return value.map(render).join('')
  return escapeHtml(String(value))
}

/** Markup from a file with values, which are escaped, in the places of their names. */
export function fillHtml(text: string, values: Record<string, Html | string | undefined>): Html {
  return new Html(
    text.replaceAll(/\{(\w+)\}/g, (_place, name: string) => html`${values[name]}`.text),
  )
}

/** Text for an element or a quoted attribute. */
export function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => entities[character] ?? '')
}

/** A page that the server makes. */
export interface HtmlPage {
  title: string
  /** Its own style; with `styleSheets` of ours behind it, by their addresses. */
  style: string
  styleSheets?: readonly string[]
  /** Its own script; none unless told. */
  script?: string | undefined
  body: Html
  takesForms?: boolean
}

/** Sends a page whose style and script are inline, named by hash (CSP Level 3, section 2.3.1). */
export function sendHtml(reply: FastifyReply, page: HtmlPage): FastifyReply {
  const { styleSheets = [], script } = page
  const own = styleSheets.length > 0 ? " 'self'" : ''
  const policy = [
    "default-src 'none'",
    `style-src ${sourceHash(page.style)}${own}`,
    ...(own === '' ? [] : [`font-src${own}`]),
    ...(script === undefined ? [] : [`script-src ${sourceHash(script)}`, "connect-src 'self'"]),
    // What its script shows before it is sent is `blob:`.
    `img-src 'self'${script === undefined ? '' : ' blob:'}`,
    `form-action ${page.takesForms === true ? "'self'" : "'none'"}`,
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ]
  const document = html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex" />
        <title>${page.title}</title>
        ${new Html(`<style>${page.style}</style>`)}
        ${styleSheets.map((href) => html`<link rel="stylesheet" href="${href}" />`)}
      </head>
      <body>
        ${page.body} ${script !== undefined && new Html(`<script>${script}</script>`)}
      </body>
    </html>`
  return reply
    .type('text/html; charset=utf-8')
    .header('content-security-policy', policy.join('; '))
    .send(document.text)
}

/** The source of an inline element as a policy names it (CSP Level 3, section 2.3.1). */
export function sourceHash(text: string): string {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`
}
