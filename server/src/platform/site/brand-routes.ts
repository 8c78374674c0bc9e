import type { FastifyInstance } from 'fastify'
import { AppError } from '../errors/app-error.ts'
import type { ObjectStore } from '../storage/object-store.ts'
import { accentFile, accentStylesOf } from './brand-page.ts'
import type { Site } from './site.ts'

const forAYear = 'public, max-age=31536000, immutable'

/** Where a picture of the brand lies in the object store. */
export function brandObjectKey(file: string): string {
  return `brand/${file}`
}

/** The brand's pictures and colours, by addresses that change with them. */
export async function brandRoutes(
  app: FastifyInstance,
  { site, store }: { site: Site; store: ObjectStore },
): Promise<void> {
  app.get<{ Params: { file: string } }>('/brand/:file', async (request, reply) => {
    const { file } = request.params
    if (/^accent-[\da-f]{16}\.css$/.test(file)) {
      const styles = accentStylesOf(site.values()) ?? ''
      // A page of another node may be a moment ahead, and one in a browser behind.
      const isCurrent = accentFile(styles) === file
      return reply
        .type('text/css; charset=utf-8')
        .header('cache-control', isCurrent ? forAYear : 'no-cache')
        .send(styles)
    }
    const bytes = /^[\da-f]{32}\.png$/.test(file)
      ? await store.get(brandObjectKey(file))
      : undefined
    if (bytes === undefined) throw new AppError('not_found')
    return reply.type('image/png').header('cache-control', forAYear).send(bytes)
  })
}
