/**
 * The last step of the build: writes each prerendered page into the document, once per language, styles inside and
 * scripts put off until it is shown: `prerenderedFile` names them (`index.html`, `index.es.html`, … for `/`). All
 * other pages get the template, `__spa.html`. The server hashes what is inline. Beside them lies the offline page.
 */
import { readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { languageNames, languages, type Language } from '@starside/contract/languages.ts'
import { prerenderedFile, prerenderedPages } from '@starside/contract/pages.ts'
import { installedApp } from '@starside/contract/installed-app.ts'
import { offlinePage } from './offline-page.ts'
import type * as Entry from './src/app/entry-server.tsx'

const dist = join(import.meta.dirname, 'dist')
const serverFolder = join(dist, '.ssr')

/** Loads the program with its imports once the page is idle, or at the first key or pointer; at once with a token. */
function bootScript(scripts: readonly string[]): string {
  const imports = scripts.map((script) => `import(${JSON.stringify(script)})`).join(';')
  return `(function(){var started=false;function start(){if(!started){started=true;${imports}}}
var early=['pointerdown','keydown','touchstart'];early.forEach(function(name){addEventListener(name,start,{once:true,passive:true})});
if(document.documentElement.dataset.auth||location.search){start();return}
function idle(){if('requestIdleCallback' in window)requestIdleCallback(start,{timeout:1500});else setTimeout(start,200)}
if(document.readyState==='complete')idle();else addEventListener('load',idle)})()`
}

function only(html: string, pattern: RegExp): RegExpMatchArray {
  const match = html.match(pattern)
  if (!match) throw new Error(`The built template lacks ${pattern}`)
  return match
}

function escapeAttribute(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;')
}

const entryFile = (await readdir(serverFolder)).find((name) => /^entry-server\.m?js$/.test(name))
if (!entryFile) throw new Error('The server build is missing')
const serverUrl = pathToFileURL(join(serverFolder, entryFile)).href
const server = (await import(serverUrl)) as typeof Entry

/** The built files of each source. */
type Manifest = Record<string, { file: string; imports?: string[]; css?: string[] }>
const manifest = JSON.parse(await readFile(join(dist, '.vite/manifest.json'), 'utf8')) as Manifest

const template = await readFile(join(dist, 'index.html'), 'utf8')
const scriptTag = only(template, /\s*<script type="module"[^>]*src="([^"]+)"[^>]*><\/script>/)
const styleTag = only(template, /\s*<link rel="stylesheet"[^>]*href="([^"]+)"[^>]*>/)
const stylePath = styleTag[1] ?? ''
const styles = (await readFile(join(dist, stylePath), 'utf8')).trim()
const displayFont = only(styles, /\/assets\/anybody-800-width-[\w-]+\.woff2/)[0]
const imported = manifest['index.html']?.imports ?? []
const parts = imported.map((name) => `/${manifest[name]?.file ?? ''}`)
const boot = bootScript([scriptTag[1] ?? '', ...parts])

const fontPreload = `<link rel="preload" href="${displayFont}" as="font" type="font/woff2" crossorigin>`
const partPreloads = parts.map((part) => `<link rel="modulepreload" href="${part}">`).join('')
await writeFile(
  join(dist, '__spa.html'),
  template.replace(styleTag[0], `\n    ${fontPreload}${partPreloads}$&`),
)

for (const name of prerenderedPages) {
  for (const language of languages) {
    const page = await server.prerenderPage(name, language)
    const style = `<style>${styles}${await ownStyles(page.source)}</style>`
    const html = intoTemplate(page, language, style)
    await writeFile(join(dist, prerenderedFile(name, language)), html)
  }
}

/** The styles that only a page's own program brings. */
async function ownStyles(source: string | undefined): Promise<string> {
  const files = manifest[source ?? '']?.css ?? []
  const texts = await Promise.all(files.map((file) => readFile(join(dist, file), 'utf8')))
  return texts.join('').trim()
}

/** The template's document with a page in it, its styles inside and its scripts put off. */
function intoTemplate(page: Entry.PrerenderedDocument, language: Language, style: string): string {
  const { title, description, hero, html } = page
  if (/\sstyle="/.test(html)) throw new Error('A prerendered page must not carry style attributes')
  const heroPreload = hero
    ? `<link rel="preload" as="image" type="image/avif" imagesrcset="${hero.srcSet}" imagesizes="${hero.sizes}" fetchpriority="high">`
    : ''
  return template
    .replace(/<html lang="[^"]*"/, `<html lang="${languageNames[language].tag}"`)
    .replace(/<title>[^<]*<\/title>/, () => `<title>${escapeAttribute(title)}</title>`)
    .replace(
      /(name="description"\s+content=")[^"]*/,
      (_, start: string) => start + escapeAttribute(description),
    )
    .replace(scriptTag[0], '')
    .replace(/\s*<link rel="modulepreload"[^>]*>/g, '')
    .replace(styleTag[0], () => `\n    ${fontPreload}\n    ${heroPreload}\n    ${style}`)
    .replace(
      '<div id="root"></div>',
      () => `<div id="root">${html}</div>\n    <script>${boot}</script>`,
    )
}

await writeFile(join(dist, installedApp.offlinePage), offlinePage('{brand}'))

await rm(serverFolder, { recursive: true })
