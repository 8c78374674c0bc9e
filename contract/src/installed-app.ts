/** Addresses for browser, service worker and server. No schema library here: browsers load this. */
export const installedApp = {
  /** The manifest (W3C, Web Application Manifest), made by the server. */
  manifest: '/manifest.webmanifest',
  /** At the root, so that its scope is the whole app (Service Workers, section 3.2). */
  serviceWorker: '/service-worker.js',
  /** What is shown in place of a page while there is no connection. */
  offlinePage: '/offline.html',
  /** Where the device's share sheet posts a photo (W3C, Web Share Target); the service worker answers. */
  shareTarget: '/share-target',
  /** The form field of the shared photo. */
  sharedPhotoField: 'photo',
} as const

/** In the address of the dashboard: a photo was shared and waits to be taken over. */
export const sharedPhotoParameter = 'shared'

/** How long photos that nobody used yet stay in the browser that they were chosen in. */
export const keptPhotosLifetimeMs = 30 * 60_000

/** Bytes of one photo that is shared with the app at most; it is scaled down before it is sent. */
export const sharedPhotoBytesMax = 64 * 1024 * 1024

/** The manifest's icons (`scripts/make-icons.ts`); the middle 80 % is safe in `maskable` ones. */
export { default as appIcons } from './app-icons.json' with { type: 'json' }
