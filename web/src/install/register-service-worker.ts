import { installedApp } from '@starside/contract/installed-app.ts'
import { dropOldEntries } from './photo-store.ts'

/** Registers the worker, and clears what an earlier visit left for too long. */
export async function registerServiceWorker(): Promise<void> {
  await dropOldEntries(Date.now())
  try {
    await navigator.serviceWorker.register(installedApp.serviceWorker)
  } catch (error) {
    // The app works without: on plain HTTP, in private windows, behind a broken certificate.
    console.info('The service worker was not registered.', error)
  }
}
