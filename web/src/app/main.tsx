import { StrictMode } from 'react'
import { createRoot, hydrateRoot } from 'react-dom/client'
import { storageKeys } from '@starside/contract/api.ts'
import { findLanguage, languageNames } from '@starside/contract/languages.ts'
import { installedApp } from '@starside/contract/installed-app.ts'
import { findPage, pages } from '@starside/contract/pages.ts'
import { loadPublicSettings } from '../api/public-settings.ts'
import { readToken } from '../api/token.ts'
import { installTrustedTypesPolicy } from '../api/trusted-types.ts'
import { dropOldEntries } from '../install/photo-store.ts'
import { shown } from '../ui/brand.ts'
import { loadCatalogue, registerCatalogue } from '../ui/messages/catalogues.ts'
import { forgetPart, Router } from '../ui/router.tsx'
import english from '@starside/contract/texts/en/shell.json'
import '../ui/styles.css'
import { App } from './app.tsx'
import { loadAhead } from './page-programs.tsx'

installTrustedTypesPolicy()

async function start(): Promise<void> {
  const container = document.getElementById('root')
  if (!container) throw new Error('The document has no #root')
  // The stored choice, else what fits the browser's languages best.
  const stored = localStorage.getItem(storageKeys.language) ?? ''
  const language = findLanguage([stored, ...navigator.languages])
  const page = findPage(location.pathname) ?? 'landing'
  addEventListener('hashchange', forgetPart)
  const settings = await loadPublicSettings().catch(() => undefined)
  shown.brand = settings?.brand
  registerCatalogue('shell', 'en', english)
  const signedOut = readToken() === null
  loadAhead(signedOut && pages[page].audience === 'signed-in' ? 'auth' : page, language)
  // Who stirs may press what leads to the sign-in.
  const stir = (): void => loadAhead('auth', language)
  for (const type of signedOut ? ['pointerover', 'keydown'] : []) {
    addEventListener(type, stir, { once: true })
  }
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

/** Drops what an earlier visit left for too long and registers the service worker, once the browser has nothing else to do; Vite's own server has none. */
function registerWhenIdle(): void {
  if (import.meta.env.DEV || !('serviceWorker' in navigator)) return
  const register = (): void => {
    dropOldEntries(Date.now())
      .then(() => navigator.serviceWorker.register(installedApp.serviceWorker))
      // The app works without, as in private windows.
      .catch((error: unknown) => console.info('The service worker was not loaded.', error))
  }
  // Safari has no idle callbacks.
  if ('requestIdleCallback' in window) requestIdleCallback(register, { timeout: 10_000 })
  else setTimeout(register, 3_000)
}

void start()
registerWhenIdle()
