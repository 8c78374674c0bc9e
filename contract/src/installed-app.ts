/**
 * What the web app is once it is installed on a device: addresses that browser, service worker and
 * server share. No schema library is imported here, so that the browser's bundle stays small.
 */
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

/** An icon of the manifest: a file of `web/public`. */
interface AppIcon {
  src: string
  sizes: string
  type: 'image/png' | 'image/svg+xml'
  /** `maskable`: the platform cuts its own shape; what matters lies in the middle 80 %. */
  purpose: 'any' | 'maskable' | 'monochrome'
}

/** Icons for every platform; `scripts/make-icons.ts` makes the PNG files. */
export const appIcons: readonly AppIcon[] = [
  { src: '/favicon.svg', sizes: 'any', type: 'image/svg+xml', purpose: 'any' },
  { src: '/icons/any-192.png', sizes: '192x192', type: 'image/png', purpose: 'any' },
  { src: '/icons/any-512.png', sizes: '512x512', type: 'image/png', purpose: 'any' },
  { src: '/icons/maskable-192.png', sizes: '192x192', type: 'image/png', purpose: 'maskable' },
  { src: '/icons/maskable-512.png', sizes: '512x512', type: 'image/png', purpose: 'maskable' },
  { src: '/icons/monochrome-512.png', sizes: '512x512', type: 'image/png', purpose: 'monochrome' },
]
