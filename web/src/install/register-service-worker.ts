import { installedApp } from '@starside/contract/installed-app.ts'
import { dropOldEntries } from './photo-store.ts'

/** Clears what an earlier visit left for too long, and registers the worker. Throws where the browser takes none. */
export async function registerServiceWorker(): Promise<void> {
  await dropOldEntries(Date.now())
  await navigator.serviceWorker.register(installedApp.serviceWorker)
}
