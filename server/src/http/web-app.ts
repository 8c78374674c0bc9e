import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { brotliCompress, constants } from 'node:zlib'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { readPackedAssets } from './packed-assets.ts'

const forAYear = 'public, max-age=31536000, immutable'

/** Where the production build of the web app lies. */
export const webFolder = fileURLToPath(new URL('../../../web/dist/', import.meta.url))

/** Makes tags to put into the head of the landing page, for links that show a shared picture. */
export type HeadTags = (query: URLSearchParams, path: string) => Promise<string | undefined>

/** Routes of the browser's router that aren't the landing page. */
const appPaths = ['/auth', '/dashboard']

/** Languages beside English that the landing page is prerendered in. */
const translations = ['es', 'zh']

export interface WebPages {
  landing: string
  /** The landing page in other languages, by primary language subtag. */
  translated: Map<string, string>
  app: string
  /** CSP sources of the pages' inline scripts and styles, as `'sha256-…'`. */
  scriptHashes: string[]
  styleHashes: string[]
}

/** Reads the pages; undefined when the web app wasn't built, as for a worker or a test. */
export async function readWebPages(folder: string = webFolder): Promise<WebPages | undefined> {
  const read = (name: string) => readFile(folder + name, 'utf8').catch(() => undefined)
  const landing = await read('index.html')
  if (landing === undefined) return undefined
  const app = (await read('__spa.html')) ?? landing
  const translated = new Map<string, string>()
  for (const language of translations) {
    const page = await read(`index.${language}.html`)
    if (page !== undefined) translated.set(language, page)
  }
  const pages = [landing, app, ...translated.values()].join('')
  return {
    landing,
    translated,
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
    setHeaders(response, path) {
      const isHashed = path.includes('/assets/')
      void response.header('cache-control', isHashed ? forAYear : 'public, max-age=3600')
    },
  })
  const assets = await readPackedAssets(`${folder}assets/`)
  app.get('/assets/*', (request, reply) => {
    const { '*': name } = request.params as { '*': string }
    const asset = assets.get(name)
    const { range, 'if-none-match': known } = request.headers
    if (asset === undefined || range !== undefined || !takesBrotli(request)) {
      return reply.sendFile(`assets/${name}`)
    }
    void reply.header('cache-control', forAYear).header('vary', 'accept-encoding')
    void reply.header('etag', asset.etag)
    if (known === asset.etag) return reply.status(304).send()
    return reply.type(asset.type).header('content-encoding', 'br').send(asset.body)
  })

  app.get('/', async (request, reply) => {
    const url = new URL(request.url, 'http://host')
    const tags = await headTags(url.searchParams, request.url)
    const page = landingFor(pages, request.headers['accept-language'])
    void reply.header('vary', 'accept-encoding, accept-language')
    if (tags !== undefined) return sendPage(request, reply, await pack(withTags(page, tags)))
    return sendPage(request, reply, await packOnce(page))
  })
  for (const path of appPaths) {
    app.get(path, async (request, reply) => {
      void reply.header('vary', 'accept-encoding')
      return sendPage(request, reply, await packOnce(pages.app))
    })
  }
}

/** The landing page in the first language of the browser's list that there is, else English. */
function landingFor(pages: WebPages, acceptLanguage: string | undefined): string {
  for (const range of (acceptLanguage ?? '').split(',')) {
    const language = range.split(';')[0]?.trim().split('-')[0]?.toLowerCase() ?? ''
    if (language === 'en') break
    const page = pages.translated.get(language)
    if (page !== undefined) return page
  }
  return pages.landing
}

/** Puts tags before the head's end; the page's own Open Graph tags give way to them. */
function withTags(page: string, tags: string): string {
  const bare = page.replaceAll(/<meta (?:property="og:|name="twitter:)[^>]*>/g, '')
  return bare.replace('</head>', () => `${tags}</head>`)
}

/** A page and its brotli form (RFC 7932). */
interface PackedPage {
  html: string
  brotli: Buffer
}

const compress = promisify(brotliCompress)
const packedPages = new Map<string, Promise<PackedPage>>()

/** Packs a page that never changes, the first time that it is asked for. */
function packOnce(html: string): Promise<PackedPage> {
  let packed = packedPages.get(html)
  if (packed === undefined) {
    packed = pack(html)
    packedPages.set(html, packed)
  }
  return packed
}

async function pack(html: string): Promise<PackedPage> {
  return { html, brotli: await compress(html, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }) }
}

function sendPage(request: FastifyRequest, reply: FastifyReply, page: PackedPage): FastifyReply {
  void reply.type('text/html; charset=utf-8').header('cache-control', 'no-cache')
  if (!takesBrotli(request)) return reply.send(page.html)
  return reply.header('content-encoding', 'br').send(page.brotli)
}

function takesBrotli(request: FastifyRequest): boolean {
  return /\bbr\b/.test(request.headers['accept-encoding'] ?? '')
}
