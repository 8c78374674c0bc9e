import { mkdtemp, readFile, readdir, rm, stat, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { brotliCompressSync } from 'node:zlib'
import { webFolder } from '@starside/server/platform/http/web-app.ts'
import { table } from './page/write-section.ts'
import type { Section } from './page/write-section.ts'
import { readNumbers } from './read-numbers.ts'
import { startChild } from './server/start-child.ts'
import { compareAlternately } from './server/compare-alternately.ts'
import { openBenchEnvironment } from './server/bench-environment.ts'

const nginx = '/usr/sbin/nginx'
const takesBrotli = { 'accept-encoding': 'br' }

/** `npm run bench -- static [--seconds N]`: files of the web app, against nginx with the same files. */
export async function run(args: string[]): Promise<Section> {
  const { seconds } = readNumbers(args, { seconds: 2 })
  const folder = await mkdtemp(path.join(os.tmpdir(), 'starside-nginx-'))
  await using environment = await openBenchEnvironment({ ROLE: 'api' })
  const server = await startChild({
    command: nginx,
    args: async (port) => ['-c', await writeNginxConfig(folder, port)],
    env: () => process.env,
    path: '/',
  })
  try {
    const rows: string[][] = []
    for (const { what, file } of await chooseFiles()) {
      const contender = (url: string) => ({ url: url + file, headers: takesBrotli })
      const turns = await compareAlternately(
        contender(environment.program.url),
        contender(server.url),
        {
          connections: 16,
          rounds: 5,
          seconds,
        },
      )
      const rate = (perSecond: number) => `${perSecond.toFixed(0)}/s`
      const { ours, peer, rateRatio } = turns
      rows.push([what, rate(ours.perSecond), rate(peer.perSecond), rateRatio.toFixed(2)])
    }
    return {
      title: 'Static files',
      lines: [
        ...table(['What', 'Starside', 'nginx', 'Ratio'], rows),
        '',
        'The same brotli files, 16 callers; nginx with one worker, sendfile and its cache of open files. An',
        'install of more than a few people puts nginx or a content delivery network in front anyway',
        '(`deploy/`), and browsers keep hashed assets for a year.',
      ],
    }
  } finally {
    await server.stop()
    await rm(folder, { recursive: true, force: true })
  }
}

/** The landing page, the largest script of the build and a middling one. */
async function chooseFiles(): Promise<{ what: string; file: string }[]> {
  const names = (await readdir(path.join(webFolder, 'assets'))).filter((name) =>
    name.endsWith('.js.br'),
  )
  const sized = await Promise.all(
    names.map(async (name) => ({
      file: `/assets/${name.slice(0, -'.br'.length)}`,
      bytes: (await stat(path.join(webFolder, 'assets', name))).size,
    })),
  )
  sized.sort((a, b) => a.bytes - b.bytes)
  const script = (entry: (typeof sized)[number] | undefined, word: string) =>
    entry === undefined
      ? []
      : [{ what: `The ${word} script, ${(entry.bytes / 1_000).toFixed(1)} kB`, file: entry.file }]
  return [
    { what: 'The landing page', file: '/' },
    ...script(sized.at(-1), 'largest'),
    ...script(sized[Math.floor(sized.length / 2)], 'middling'),
  ]
}

/** One worker, as the program is one process; Debian's nginx packs no brotli, so it is given packed. */
async function writeNginxConfig(folder: string, port: number): Promise<string> {
  const page = await readFile(path.join(webFolder, 'index.html'))
  await writeFile(path.join(folder, 'index.html.br'), brotliCompressSync(page))
  const config = `
    daemon off; worker_processes 1; user root; pid ${folder}/nginx.pid; error_log stderr error;
    events { worker_connections 512; }
    http {
      access_log off; sendfile on; tcp_nopush on; tcp_nodelay on; keepalive_requests 100000000;
      open_file_cache max=1000 inactive=60s; types {} default_type text/javascript;
      client_body_temp_path ${folder}/a; proxy_temp_path ${folder}/b; fastcgi_temp_path ${folder}/c;
      uwsgi_temp_path ${folder}/d; scgi_temp_path ${folder}/e;
      server {
        listen 127.0.0.1:${port};
        add_header content-encoding br;
        location = / { root ${folder}; default_type text/html; try_files /index.html.br =404; }
        location /assets/ { root ${webFolder}; try_files $uri.br =404; }
      }
    }`
  const file = path.join(folder, 'nginx.conf')
  await writeFile(file, config)
  return file
}
