import { readFileSync } from 'node:fs'
import { readWebPages } from '../platform/http/web-app.ts'
import { accentFile, accentStylesOf } from '../platform/site/brand-page.ts'
import type { SiteValues } from '../platform/site/site-settings.ts'

/** What the operator's pages look like beside what they take from the web app. */
export const operatorStyle = readFileSync(new URL('operator-style.css', import.meta.url), 'utf8')

/** What pages that ask for it can do beyond what they can without. */
export const operatorScript = readFileSync(new URL('operator-script.js', import.meta.url), 'utf8')

/** The stylesheets of the web app: its type, its colours in both themes, and the brand's accent. */
export async function openAppStyles(): Promise<(values: SiteValues) => string[]> {
  const { app = '' } = (await readWebPages()) ?? {}
  const [, built] = /<link rel="stylesheet"[^>]*href="([^"]+)"/.exec(app) ?? []
  return (values) => {
    const accent = accentStylesOf(values)
    const own = accent === undefined ? [] : [`/brand/${accentFile(accent)}`]
    return built === undefined ? [] : [built, ...own]
  }
}
