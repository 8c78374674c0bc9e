import { StrictMode } from 'react'
import { createRoot, hydrateRoot } from 'react-dom/client'
import { storageKeys } from '@starside/contract/api.ts'
import { detectLanguage } from '../ui/detect-language.ts'
import {
  languageNames,
  languages,
  loadCatalogue,
  registerCatalogue,
} from '../ui/messages/catalogues.ts'
import { messages as english } from '../ui/messages/shell.en.ts'
import '../ui/styles.css'
import { readToken } from '../api/token.ts'
import { installTrustedTypesPolicy } from '../api/trusted-types.ts'
import { App, loadAhead } from './app.tsx'
import { BrowserRouter } from './browser-router.tsx'

registerCatalogue('shell', 'en', english)
installTrustedTypesPolicy()

async function start(): Promise<void> {
  const container = document.getElementById('root')
  if (!container) throw new Error('The document has no #root')
  const language = detectLanguage(localStorage.getItem(storageKeys.language), navigator.languages)
  const signedIn = readToken() !== null
  if (signedIn || location.pathname !== '/dashboard') loadAhead(location.pathname, language)
  else loadAhead('/auth', language)
  await loadCatalogue('shell', language)
  const app = (
    <StrictMode>
      <BrowserRouter>
        <App language={language} />
      </BrowserRouter>
    </StrictMode>
  )
  const prerendered = languages.find(
    (code) => languageNames[code].tag === document.documentElement.lang,
  )
  if (container.firstElementChild && prerendered === language && location.pathname === '/') {
    hydrateRoot(container, app)
  } else {
    container.replaceChildren()
    createRoot(container).render(app)
  }
}

void start()
