import type { ObjectStore } from '../platform/storage/object-store.ts'

/** The keys of all objects below a prefix such as `inputs`. */
export async function listKeys(
  store: Pick<ObjectStore, 'list'>,
  prefix: string,
): Promise<string[]> {
  const keys = []
  for await (const { key } of store.list(prefix)) keys.push(key)
  return keys
}
