import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyReply } from 'fastify'

/** Where the production build of the web app lies. */
export const webFolder = fileURLToPath(new URL('../../../web/dist/', import.meta.url))

/** Makes tags to put into the head of the landing page, for links that show a shared picture. */
export type HeadTags = (query: URLSearchParams, path: string) => Promise<string | undefined>

/** Routes of the browser's router that aren't the landing page. */
const appPaths = ['/auth', '/dashboard']

export interface WebPages {
  landing: string
  app: string
  /** CSP sources of the pages' inline scripts and styles, as `'sha256-…'`. */
  scriptHashes: string[]
  styleHashes: string[]
}

/** Reads the two pages; undefined when the web app wasn't built, as for a worker or a test. */
export async function readWebPages(folder: string = webFolder): Promise<WebPages | undefined> {
  const read = (name: string) => readFile(folder + name, 'utf8').catch(() => undefined)
  const landing = await read('index.html')
  if (landing === undefined) return undefined
  const app = (await read('__spa.html')) ?? landing
  const pages = landing + app
  return {
    landing,
    app,
    scriptHashes: hashInline(pages, /<script(?![^>]*\ssrc=)[^>]*>([\s\S]*?)<\/script>/g),
    styleHashes: hashInline(pages, /<style[^>]*>([\s\S]*?)<\/style>/g),
  }
}

/** Source hashes of inline elements (CSP Level 3, section 2.3.1). */
function hashInline(html: string, pattern: RegExp): string[] {
  const hashes = [...html.matchAll(pattern)].map(
    ([, text]) =>
      `'sha256-${createHash('sha256')
        .update(text ?? '')
        .digest('base64')}'`,
  )
  return [...new Set(hashes)]
}

/**
 * Serves the built web app: the prerendered landing page on `/`, the empty page for the browser's
 * router on its other routes, hashed assets for a year, and every other path back to `/`.
 */
export async function serveWebApp(
  app: FastifyInstance,
  options: { pages: WebPages; headTags: HeadTags; folder?: string },
): Promise<void> {
  const { pages, headTags, folder = webFolder } = options
  await app.register(fastifyStatic, {
    root: folder,
    serve: true,
    index: false,
    preCompressed: true,
    wildcard: true,
    decorateReply: false,
    setHeaders(response, path) {
      const isHashed = path.includes('/assets/')
      void response.header(
        'cache-control',
        isHashed ? 'public, max-age=31536000, immutable' : 'public, max-age=3600',
      )
    },
  })

  app.get('/', async (request, reply) => {
    const url = new URL(request.url, 'http://host')
    const tags = await headTags(url.searchParams, request.url)
    return sendPage(reply, tags === undefined ? pages.landing : withTags(pages.landing, tags))
  })
  for (const path of appPaths) app.get(path, (_request, reply) => sendPage(reply, pages.app))
}

/** Puts tags before the head's end; the page's own Open Graph tags give way to them. */
function withTags(page: string, tags: string): string {
  const bare = page.replaceAll(/<meta (?:property="og:|name="twitter:)[^>]*>/g, '')
  return bare.replace('</head>', () => `${tags}</head>`)
}

function sendPage(reply: FastifyReply, page: string): FastifyReply {
  return reply.type('text/html; charset=utf-8').header('cache-control', 'no-cache').send(page)
}
