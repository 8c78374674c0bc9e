/** Where bytes lie under a key. Keys are made by us, never taken from a name somebody gave. */
export interface ObjectStore {
  /** Writes all of it or nothing; an object of that key is replaced. */
  put(key: string, bytes: Uint8Array, mediaType: string): Promise<void>
  /** Undefined when there is no such object. */
  get(key: string): Promise<Uint8Array | undefined>
  /** Deleting what isn't there is no error. */
  delete(key: string): Promise<void>
  /** Keys below a prefix, in character order, with their last write; only those behind `after`. */
  list(
    prefix: string,
    options?: { after?: string },
  ): AsyncIterable<{ key: string; modifiedAt: Date }>
}

const keyPattern = /^[a-z]+(?:\/[\w-]{1,80}){1,4}(?:\.[a-z]{3,4})?$/

/** A key that could leave its folder is a bug in the caller. */
export function assertObjectKey(key: string): void {
  if (!keyPattern.test(key)) throw new Error(`'${key}' is not an object key`)
}
