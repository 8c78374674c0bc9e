import { StrictMode } from 'react'
import { createRoot, hydrateRoot } from 'react-dom/client'
import { storageKeys } from '@starside/contract/api.ts'
import { languageNames } from '@starside/contract/languages.ts'
import { findPage, pages } from '@starside/contract/pages.ts'
import { loadPublicSettings } from '../api/public-settings.ts'
import { readToken } from '../api/token.ts'
import { installTrustedTypesPolicy } from '../api/trusted-types.ts'
import { setBrand } from '../ui/brand.ts'
import { detectLanguage } from '../ui/detect-language.ts'
import { loadCatalogue, registerCatalogue } from '../ui/messages/catalogues.ts'
import { Router } from '../ui/router.tsx'
import english from '@starside/contract/texts/en/shell.json'
import '../ui/styles.css'
import { App } from './app.tsx'
import { loadAhead } from './page-programs.tsx'
import { registerWhenIdle } from './register-when-idle.ts'

installTrustedTypesPolicy()

async function start(): Promise<void> {
  const container = document.getElementById('root')
  if (!container) throw new Error('The document has no #root')
  const language = detectLanguage(localStorage.getItem(storageKeys.language), navigator.languages)
  const page = findPage(location.pathname) ?? 'landing'
  const settings = await loadPublicSettings().catch(() => undefined)
  if (settings) setBrand(settings.brand)
  registerCatalogue('shell', 'en', english)
  const signedOut = readToken() === null
  loadAhead(signedOut && pages[page].audience === 'signed-in' ? 'auth' : page, language)
  await loadCatalogue('shell', language)
  const app = (
    <StrictMode>
      <Router>
        <App language={language} />
      </Router>
    </StrictMode>
  )
  const isPrerendered =
    pages[page].prerendered && document.documentElement.lang === languageNames[language].tag
  if (container.firstElementChild && isPrerendered) {
    hydrateRoot(container, app)
  } else {
    container.replaceChildren()
    createRoot(container).render(app)
  }
}

void start()
registerWhenIdle()
