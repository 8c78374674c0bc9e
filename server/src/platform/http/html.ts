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

/**
 * A template whose values are escaped, unless they are `Html` themselves; lists are joined, and
 * what is missing is left out. Attribute values have to stand in quotes.
 */
export function html(texts: TemplateStringsArray, ...values: Value[]): Html {
  return new Html(texts.reduce((page, text, index) => page + render(values[index - 1]) + text))
}

function render(value: Value): string {
  if (value === undefined || value === null || value === false) return ''
  if (value instanceof Html) return value.text
  if (typeof value === 'object') return value.map(render).join('')
  return String(value).replaceAll(/[&<>"']/g, (character) => entities[character] ?? '')
}

/**
 * Sends a page that needs no script and asks nobody else for anything: its only style is inline and
 * named by its hash (CSP Level 3, section 2.3.1).
 */
export function sendHtml(
  reply: FastifyReply,
  page: { title: string; style: string; body: Html; takesForms?: boolean },
): FastifyReply {
  const hash = createHash('sha256').update(page.style).digest('base64')
  const policy = [
    "default-src 'none'",
    `style-src 'sha256-${hash}'`,
    "img-src 'self'",
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
      </head>
      <body>
        ${page.body}
      </body>
    </html>`
  return reply
    .type('text/html; charset=utf-8')
    .header('content-security-policy', policy.join('; '))
    .send(document.text)
}
