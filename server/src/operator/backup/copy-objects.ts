import type { ObjectStore } from '../../platform/storage/object-store.ts'

/**
 * What is kept of the store. Uploaded photos (`inputs`) and the layers of pictures (`layers`) are not:
 * they are promised to be deleted soon, and a backup would keep them.
 */
export const backedUpPrefixes = ['brand', 'pictures', 'stars', 'variations'] as const

/** A store far away answers slowly, so that several objects are asked for at once. */
const readsAtOnce = 8

/**
 * The objects behind a key with their content, in the order of their keys. One that is deleted
 * meanwhile is left out.
 */
export async function* readObjects(
  store: ObjectStore,
  prefix: string,
): AsyncIterable<{ key: string; content: Buffer }> {
  const reads: { key: string; content: Promise<Uint8Array | undefined> }[] = []
  const next = async () => {
    const read = reads.shift()
    const content = await read?.content
    return read === undefined || content === undefined
      ? undefined
      : { key: read.key, content: Buffer.from(content) }
  }
  for await (const { key } of store.list(prefix)) {
    const content = store.get(key)
    // A failure is met when its turn comes; until then it must not end the program.
    content.catch(() => undefined)
    reads.push({ key, content })
    const object = reads.length < readsAtOnce ? undefined : await next()
    if (object !== undefined) yield object
  }
  while (reads.length > 0) {
    const object = await next()
    if (object !== undefined) yield object
  }
}

const mediaTypes: Readonly<Record<string, string>> = {
  jpg: 'image/jpeg',
  png: 'image/png',
  avif: 'image/avif',
  webp: 'image/webp',
}

/** The media type that an object's name says. */
export function mediaTypeOf(key: string): string {
  return mediaTypes[key.slice(key.lastIndexOf('.') + 1)] ?? 'application/octet-stream'
}
