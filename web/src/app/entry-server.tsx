import { StrictMode } from 'react'
import { prerenderToNodeStream } from 'react-dom/static'
import { StaticRouter } from 'react-router'
import { registerCatalogue, type Language } from '../ui/messages/catalogues.ts'
import { messages as english } from '../ui/messages/shell.en.ts'
import { messages as spanish } from '../ui/messages/shell.es.ts'
import { messages as chinese } from '../ui/messages/shell.zh.ts'
import { App } from './app.tsx'
import { examplePictures, resultSizes } from './live-example.tsx'

registerCatalogue('shell', 'en', english)
registerCatalogue('shell', 'es', spanish)
registerCatalogue('shell', 'zh', chinese)

/** The picture that the landing page shows first and largest, for the head's preload link. */
export const heroPicture = { srcSet: examplePictures.result.avif, sizes: resultSizes }

/** Title and description of the landing page in a language. */
export function headTexts(language: Language): { title: string; description: string } {
  const m = { en: english, es: spanish, zh: chinese }[language]
  return { title: `${m.productName}: ${m.headTitle}`, description: `${m.lead} ${m.note}` }
}

/** The signed-out landing page as HTML, for the build to put into the document. */
export async function renderLanding(language: Language): Promise<string> {
  const { prelude } = await prerenderToNodeStream(
    <StrictMode>
      <StaticRouter location="/">
        <App language={language} />
      </StaticRouter>
    </StrictMode>,
  )
  let html = ''
  for await (const chunk of prelude) html += String(chunk)
  return html
}
