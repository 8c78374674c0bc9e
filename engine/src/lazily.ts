/** Makes a thing once, at its first use; a failed making is tried again by the next use. */
export function lazily<Thing extends { close(): Promise<void> }>(make: () => Promise<Thing>) {
  let thing: Promise<Thing> | undefined
  return {
    async get(): Promise<Thing> {
      thing ??= make()
      try {
        return await thing
      } catch (error) {
        thing = undefined
        throw error
      }
    },
    /** The thing where it was made already. */
    async opened(): Promise<Thing | undefined> {
      return await thing?.catch(() => undefined)
    },
    async close(): Promise<void> {
      await (await thing)?.close()
    },
  }
}
