import { StrictMode } from 'react'
import { prerenderToNodeStream } from 'react-dom/static'
import { placeAt, Router } from '../ui/router.tsx'
import type { Language } from '@starside/contract/languages.ts'
import { pages, type PrerenderedPage } from '@starside/contract/pages.ts'
import { loadCatalogue, type ShellMessages } from '../ui/messages/catalogues.ts'
import { App } from './app.tsx'
import { exampleSrcSet } from '../ui/example-image.tsx'
import { firstPair, pairFolder } from '../ui/example-list.ts'
import { resultSizes } from './live-example.tsx'

/** What the build puts into a document besides the template. */
export interface PrerenderedDocument {
  title: string
  description: string
  /** The picture shown first and largest, for a preload link. */
  hero?: { srcSet: string; sizes: string }
  /** The source of the page's own program, where that brings styles of its own. */
  source?: string
  /** What a signed-out visitor sees. */
  html: string
}

function headOf(page: PrerenderedPage, m: ShellMessages): Omit<PrerenderedDocument, 'html'> {
  if (page === 'landing') {
    return {
      title: `${m.productName}: {line:${m.headTitle}}`,
      description: `${m.lead} ${m.note}`,
      hero: { srcSet: exampleSrcSet(pairFolder(firstPair), 'first'), sizes: resultSizes },
    }
  }
  const title = `${m[page]} · ${m.productName}`
  return { title, description: m.footerLine, source: 'src/legal/legal-page.tsx' }
}

/** A page as its document, for the build. */
export async function prerenderPage(
  page: PrerenderedPage,
  language: Language,
): Promise<PrerenderedDocument> {
  const messages = await loadCatalogue('shell', language)
  const { prelude } = await prerenderToNodeStream(
    <StrictMode>
      <Router initial={placeAt(pages[page].path)}>
        <App language={language} />
      </Router>
    </StrictMode>,
  )
  let html = ''
  for await (const chunk of prelude) html += String(chunk)
  return { ...headOf(page, messages), html }
}
