import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { brotliCompress, constants } from 'node:zlib'
import { installedApp } from '@starside/contract/installed-app.ts'
import { languages } from '@starside/contract/languages.ts'
import type { Language } from '@starside/contract/languages.ts'
import { pageNames, pages, prerenderedFile, prerenderedPages } from '@starside/contract/pages.ts'
import type { PageName } from '@starside/contract/pages.ts'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { keepNewest } from '../keep-newest.ts'
import { sourceHash } from './html.ts'
import { readLanguage } from './read-language.ts'

const forAYear = 'public, max-age=31536000, immutable'

/** Where the production build of the web app lies. */
export const webFolder = fileURLToPath(new URL('../../../../web/dist/', import.meta.url))

export type WebPages = NonNullable<Awaited<ReturnType<typeof readWebPages>>>

/** Reads the pages; undefined when the web app wasn't built, as for a worker or a test. */
export async function readWebPages(folder: string = webFolder) {
  const read = (name: string) => readFile(folder + name, 'utf8').catch(() => undefined)
  const app = (await read('__spa.html')) ?? (await read('index.html'))
  if (app === undefined) return undefined
  const prerendered = new Map<string, string>()
  for (const page of prerenderedPages) {
    for (const language of languages) {
      const file = prerenderedFile(page, language)
      const html = await read(file)
      if (html !== undefined) prerendered.set(file, html)
    }
  }
  const offline = (await read(installedApp.offlinePage.slice(1))) ?? ''
  const all = [app, offline, ...prerendered.values()].join('')
  return {
    /** The empty page, which the browser's program fills. */
    app,
    /** What is shown without a connection. */
    offline,
    /** Prerendered pages by the file that the build wrote. */
    prerendered,
    /** CSP sources of the pages' inline scripts and styles, as `'sha256-…'`. */
    scriptHashes: hashInline(all, /<script(?![^>]*\ssrc=)[^>]*>([\s\S]*?)<\/script>/g),
    styleHashes: hashInline(all, /<style[^>]*>([\s\S]*?)<\/style>/g),
  }
}

/** Source hashes of inline elements. */
function hashInline(html: string, pattern: RegExp): string[] {
  return [...new Set([...html.matchAll(pattern)].map(([, text = '']) => sourceHash(text)))]
}

/** Serves the contract's pages, and hashed assets for a year; every other path leads to `/`. */
export async function serveWebApp(
  app: FastifyInstance,
  options: {
    pages: WebPages
    /** Makes tags for the head of the landing page, for the cards of chats; a title first replaces the page's. */
    headTags: (asked: {
      query: URLSearchParams
      language: Language
      address: string
    }) => Promise<string>
    /** Puts what only the running program knows into a prerendered page. */
    fillPage: (html: string, page: { name: PageName; language: Language }) => string
    /** Puts into every page what operators change while the program runs. */
    brandPage: (page: string) => string
    /** Changes whenever either of both gives another page. */
    version: () => string
    folder?: string
  },
): Promise<void> {
  const { pages: built, headTags, fillPage, brandPage, version, folder = webFolder } = options
  const packed = keepNewest<Promise<PackedPage>>(packedPagesMax)
  const finish = (key: string, make: () => string, tags = '') =>
    packed(`${version()} ${key} ${tags}`, () =>
      pack(
        brandPage(make())
          .replace(tags.startsWith('<title>') ? /<title>.*?<\/title>/ : '', '')
          .replace('</head>', () => `${tags}</head>`),
      ),
    )
  await app.register(fastifyStatic, {
    root: folder,
    index: false,
    preCompressed: true,
    // Its own route would list the whole folder of each file, for file systems that ignore case.
    serve: false,
    dotfiles: 'ignore',
    setHeaders(response, path) {
      void response.header('cache-control', cachingOf(path))
    },
  })
  app.get<{ Params: { '*': string } }>('/*', ({ params }, reply) => reply.sendFile(params['*']))
  // Asked for by the service worker, which keeps it.
  app.get(installedApp.offlinePage, async (request, reply) =>
    sendPage(request, reply, await finish(installedApp.offlinePage, () => built.offline)),
  )

  for (const name of pageNames) {
    app.get(pages[name].path, async (request, reply) => {
      const language = readLanguage(request)
      const prerendered = prerenderedPages.find((one) => one === name)
      const file = prerendered && prerenderedFile(prerendered, language)
      const page = file === undefined ? undefined : built.prerendered.get(file)
      void reply.header('vary', page ? 'accept-encoding, accept-language' : 'accept-encoding')
      const make = () => (page === undefined ? built.app : fillPage(page, { name, language }))
      const { searchParams: query } = new URL(request.url, 'http://host')
      const tags =
        name === 'landing' ? await headTags({ query, language, address: request.ip }) : ''
      return sendPage(request, reply, await finish(file ?? '', make, tags))
    })
  }
}

/** Hashed files for a year; what says which version is there, never without asking; others an hour. */
function cachingOf(path: string): string {
  if (path.includes('/assets/')) return forAYear
  const versioned = [installedApp.serviceWorker, installedApp.offlinePage]
  return versioned.some((file) => path.includes(file)) ? 'no-cache' : 'public, max-age=3600'
}

/** A page and its brotli form (RFC 7932). */
type PackedPage = Awaited<ReturnType<typeof pack>>

const compress = promisify(brotliCompress)

/** More than there are pages; the rest is for links that are passed around just now. */
const packedPagesMax = 64

async function pack(html: string) {
  return { html, brotli: await compress(html, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }) }
}

function sendPage(request: FastifyRequest, reply: FastifyReply, page: PackedPage): FastifyReply {
  void reply.type('text/html; charset=utf-8').header('cache-control', 'no-cache')
  const takesBrotli = /\bbr\b/.test(request.headers['accept-encoding'] ?? '')
  if (!takesBrotli) return reply.send(page.html)
  return reply.header('content-encoding', 'br').send(page.brotli)
}
