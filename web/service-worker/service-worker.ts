import {
  installedApp,
  sharedPhotoBytesMax,
  sharedPhotoParameter,
} from '@starside/contract/installed-app.ts'
import { pages } from '@starside/contract/pages.ts'
import { keepSharedPhoto } from '../src/install/photo-store.ts'

declare const self: ServiceWorkerGlobalScope
/** Every file of the build that anybody may see, put in by `scripts/build-service-worker.ts`. */
declare const SHELL_FILES: readonly string[]
/** Stands for the content of those files. */
declare const BUILD_ID: string

/**
 * Serves the build's files from its cache and the offline page without a connection, keeps
 * photos of the share sheet. Answers of the API and pictures are neither read nor stored.
 */

const shellCache = `shell-${BUILD_ID}`
const shellFiles = new Set(SHELL_FILES)

self.addEventListener('install', (event) => {
  const files = [installedApp.offlinePage, '/favicon.svg']
  event.waitUntil(caches.open(shellCache).then((cache) => cache.addAll(files)))
})

self.addEventListener('activate', (event) => {
  const takeOver = async (): Promise<void> => {
    const names = await caches.keys()
    await Promise.all(
      names.filter((name) => name !== shellCache).map((name) => caches.delete(name)),
    )
    await self.registration.navigationPreload?.enable()
    await self.clients.claim()
  }
  event.waitUntil(takeOver())
})

// A new version waits until nobody uses the old one, or until somebody asks for it.
self.addEventListener('message', (event) => {
  if (event.data === 'activate') void self.skipWaiting()
})

self.addEventListener('fetch', (event) => {
  const { request } = event
  const url = new URL(request.url)
  if (url.origin !== self.location.origin) return
  if (request.method === 'POST' && url.pathname === installedApp.shareTarget) {
    event.respondWith(answerShare(request))
  } else if (request.method === 'GET' && request.mode === 'navigate') {
    event.respondWith(answerPage(event))
  } else if (request.method === 'GET' && shellFiles.has(url.pathname)) {
    event.respondWith(answerFile(request))
  }
})

async function answerPage(event: FetchEvent): Promise<Response> {
  try {
    const preloaded = (await event.preloadResponse) as Response | undefined
    return preloaded ?? (await fetch(event.request))
  } catch {
    return (await caches.match(installedApp.offlinePage)) ?? Response.error()
  }
}

/** Names of files hold a hash of their content, so what is in the cache is right. */
async function answerFile(request: Request): Promise<Response> {
  const cache = await caches.open(shellCache)
  const kept = await cache.match(request)
  if (kept !== undefined) return kept
  const answer = await fetch(request)
  if (answer.status === 200 && answer.type === 'basic') {
    await cache.put(request, answer.clone()).catch(() => undefined)
  }
  return answer
}

async function answerShare(request: Request): Promise<Response> {
  await receiveSharedPhoto(request, Date.now()).catch(() => undefined)
  return Response.redirect(`${pages.dashboard.path}?${sharedPhotoParameter}`, 303)
}

/** Keeps the first picture of a share, nothing of anything else. Throws where form or store fail. */
async function receiveSharedPhoto(request: Request, nowMs: number): Promise<void> {
  const form = await request.formData()
  const photo = form
    .getAll(installedApp.sharedPhotoField)
    .find((entry): entry is File => entry instanceof File && isPicture(entry))
  if (photo !== undefined) await keepSharedPhoto(photo, nowMs)
}

/** Some phones share HEIC pictures without naming their type. */
function isPicture(file: File): boolean {
  const isNamed = file.type.startsWith('image/') || /\.hei[cf]$/iu.test(file.name)
  return isNamed && file.size > 0 && file.size <= sharedPhotoBytesMax
}
