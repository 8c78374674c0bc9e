import { readdir, readFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { brotliCompressSync, constants } from 'node:zlib'
import { webFolder } from '@starside/server/platform/http/web-app.ts'
import { launch } from 'chrome-launcher'
import lighthouse from 'lighthouse'
import { median } from './page/figures.ts'
import type { Section } from './page/write-section.ts'
import { readNumbers } from './read-numbers.ts'
import { openBenchEnvironment } from './server/bench-environment.ts'

/*
 * The web app as the program serves it: what it weighs, and what Lighthouse says of the landing page
 * on a phone with applied throttling, in turns with the same page without any script.
 */

const chromeFlags = [
  '--headless=new',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]
const categories = ['performance', 'accessibility', 'best-practices', 'seo'] as const

interface Visit {
  scores: Record<(typeof categories)[number], number>
  lcpMs: number
  cls: number
  tbtMs: number
}

/** `npm run bench -- web [--runs N]`. */
export async function run(args: string[]): Promise<Section> {
  const { runs } = readNumbers(args, { runs: 5 })
  const sizes = await weighFiles()
  await using environment = await openBenchEnvironment({ ROLE: 'api' })
  const visits = await visitInTurns(environment.program.url, runs)
  return { title: 'The web app', lines: ['```text', ...sizes, ...visits, '```'] }
}

/** One line for each weight that has a limit; kB are 1000 bytes, compressed with brotli 11. */
async function weighFiles(): Promise<string[]> {
  const files = await readdir(path.join(webFolder, 'assets'))
  const landing = await readFile(path.join(webFolder, 'index.html'), 'utf8')
  const entry = /assets\/(index-[\w-]+\.js)/.exec(landing)?.[1] ?? ''
  const imports = (await readFile(path.join(webFolder, 'assets', entry), 'utf8')).matchAll(
    /(?:from|import)\s*"\.\/([\w-]+\.js)"/g,
  )
  const scripts = [entry, ...[...imports].map(([, name]) => name)]
  const styles = /<style>([\s\S]*?)<\/style>/.exec(landing)?.[1] ?? ''
  const weigh = async (pattern: RegExp): Promise<number> => {
    let bytes = 0
    for (const file of files.filter((name) => pattern.test(name))) {
      bytes += brotliBytes(await readFile(path.join(webFolder, 'assets', file)))
    }
    return bytes
  }
  let fontBytes = 0
  for (const font of files.filter((name) => name.endsWith('.woff2'))) {
    fontBytes += (await readFile(path.join(webFolder, 'assets', font))).length
  }
  const lines: [string, number, number][] = [
    ['landing page, all scripts', await weigh(new RegExp(`^(?:${scripts.join('|')})$`)), 76],
    ['landing page, inlined styles', brotliBytes(Buffer.from(styles)), 6],
    ['auth chunk', await weigh(/^auth-page-.*\.js$/), 4],
    ['dashboard chunk', await weigh(/^dashboard-page-.*\.js$/), 35],
    ['fonts', fontBytes, 75],
  ]
  return lines.map(([name, bytes, limitKb]) => {
    const kb = bytes / 1000
    return `${name}: ${kb.toFixed(1)} kB, ${(kb / limitKb).toFixed(2)} of the limit of ${limitKb} kB`
  })
}

function brotliBytes(content: Buffer): number {
  return brotliCompressSync(content, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } }).length
}

async function visitInTurns(address: string, runs: number): Promise<string[]> {
  const withScripts = await serveThrough(address, false)
  const withoutScripts = await serveThrough(address, true)
  const full: Visit[] = []
  const bare: Visit[] = []
  try {
    for (let turn = 0; turn < runs; turn += 1) {
      full.push(await visit(withScripts.address))
      bare.push(await visit(withoutScripts.address))
    }
  } finally {
    withScripts.server.close()
    withoutScripts.server.close()
  }
  const lcpMs = median(full.map((one) => one.lcpMs))
  const bareLcpMs = median(bare.map((one) => one.lcpMs))
  return [
    ...categories.map((name) => `${name}: ${median(full.map((one) => one.scores[name]))}`),
    `LCP: ${lcpMs.toFixed(0)} ms, without scripts ${bareLcpMs.toFixed(0)} ms`,
    `LCP to that without scripts: ${(lcpMs / bareLcpMs).toFixed(3)} (limit 1.05)`,
    `CLS: ${median(full.map((one) => one.cls)).toFixed(4)} (limit 0.01)`,
    `TBT: ${median(full.map((one) => one.tbtMs)).toFixed(0)} ms (limit 50)`,
  ]
}

async function visit(address: string): Promise<Visit> {
  const chromePath = process.env['CHROMIUM'] ?? '/usr/bin/chromium'
  const chrome = await launch({ chromePath, chromeFlags, logLevel: 'silent' })
  try {
    const outcome = await lighthouse(address, {
      port: chrome.port,
      output: 'json',
      logLevel: 'silent',
      onlyCategories: [...categories],
      formFactor: 'mobile',
      throttlingMethod: 'devtools',
    })
    if (!outcome) throw new Error('Lighthouse gave no result')
    const { lhr } = outcome
    const numberOf = (audit: string): number => lhr.audits[audit]?.numericValue ?? Number.NaN
    const scoreOf = (name: string): number => Math.round((lhr.categories[name]?.score ?? 0) * 100)
    return {
      scores: {
        performance: scoreOf('performance'),
        accessibility: scoreOf('accessibility'),
        'best-practices': scoreOf('best-practices'),
        seo: scoreOf('seo'),
      },
      lcpMs: numberOf('largest-contentful-paint'),
      cls: numberOf('cumulative-layout-shift'),
      tbtMs: numberOf('total-blocking-time'),
    }
  } finally {
    chrome.kill()
  }
}

/** Serves pages, compressed, as they are or without scripts, over the same number of hops. */
async function serveThrough(
  origin: string,
  withoutScripts: boolean,
): Promise<{ server: Server; address: string }> {
  const server = createServer((request, response) => {
    void (async () => {
      const headers = { accept: request.headers.accept ?? '*/*', 'accept-encoding': 'br' }
      const answer = await fetch(`${origin}${request.url ?? '/'}`, { headers })
      const type = answer.headers.get('content-type') ?? ''
      let body: Buffer = Buffer.from(await answer.arrayBuffer())
      const out: Record<string, string> = { 'content-type': type }
      const caching = answer.headers.get('cache-control')
      if (caching) out['cache-control'] = caching
      for (const name of ['content-security-policy', 'x-content-type-options']) {
        const value = answer.headers.get(name)
        if (value) out[name] = value
      }
      if (withoutScripts && type.includes('html')) {
        body = Buffer.from(body.toString('utf8').replaceAll(/<script[\s\S]*?<\/script>/g, ''))
      }
      if (/html|javascript|css|json|svg|text/.test(type)) {
        body = brotliCompressSync(body, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } })
        out['content-encoding'] = 'br'
      }
      response.writeHead(answer.status, out).end(body)
    })().catch(() => response.writeHead(502).end())
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  const { port } = server.address() as AddressInfo
  return { server, address: `http://localhost:${port}/` }
}
