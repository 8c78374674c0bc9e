import type { IncomingMessage } from 'node:http'
import {
  installedApp,
  sharedPhotoBytesMax,
  sharedPhotoParameter,
} from '@starside/contract/installed-app.ts'
import { pages } from '@starside/contract/pages.ts'
import type { FastifyInstance } from 'fastify'
import { readLanguage } from '../../platform/http/read-language.ts'
import type { Site } from '../../platform/site/site.ts'
import { appManifest } from './app-manifest.ts'

/** What an installed app needs of the server: its manifest, and an answer to a share. */
export async function installedAppRoutes(
  app: FastifyInstance,
  { site }: { site: Site },
): Promise<void> {
  app.get(installedApp.manifest, async (request, reply) => {
    return reply
      .type('application/manifest+json; charset=utf-8')
      .header('cache-control', 'no-cache')
      .header('vary', 'accept-language')
      .send(JSON.stringify(appManifest(site.values(), readLanguage(request))))
  })

  // The service worker answers this one. Where there is none (yet), the photo is read and dropped,
  // and the dashboard says that it has to be chosen there.
  app.addContentTypeParser('multipart/form-data', (_request, payload, done) => {
    drainBody(payload, done)
  })
  app.post(
    installedApp.shareTarget,
    { bodyLimit: sharedPhotoBytesMax },
    async (_request, reply) =>
      await reply.redirect(`${pages.dashboard.path}?${sharedPhotoParameter}`, 303),
  )
}

/** Reads a body to its end and keeps nothing; one that is too long loses its connection. */
function drainBody(payload: IncomingMessage, done: (error: Error | null) => void): void {
  let sizeBytes = 0
  payload.on('data', (chunk: Buffer) => {
    sizeBytes += chunk.length
    if (sizeBytes > sharedPhotoBytesMax) payload.destroy()
  })
  payload.on('end', () => done(null))
  payload.on('error', done)
}
