import { openDatabase } from '../platform/db/database.ts'
import type { DatabaseHandle } from '../platform/db/database.ts'
import { createTestDatabase } from '../platform/db/testing/test-database.ts'

/** A migrated database of its own with a pool on it, for the length of one test file. */
export async function openTestDatabase(
  connectionsMax = 16,
): Promise<DatabaseHandle & { url: string; [Symbol.asyncDispose](): Promise<void> }> {
  const clone = await createTestDatabase()
  const handle = openTestPool(clone.url, connectionsMax)
  return {
    ...handle,
    url: clone.url,
    async [Symbol.asyncDispose]() {
      await handle.close()
      await clone[Symbol.asyncDispose]()
    },
  }
}

/**
 * Connections to a database of a test as those of a node of its own; one that breaks before they are
 * closed fails the test.
 */
export function openTestPool(url: string, connectionsMax: number): DatabaseHandle {
  let isClosing = false
  const handle = openDatabase({
    url,
    connectionsMax,
    onError: (error) => {
      if (!isClosing) throw error
    },
  })
  // Whoever asks for a connection gets one in their turn, however slow the machine is.
  handle.pool.options.connectionTimeoutMillis = 0
  return {
    ...handle,
    close() {
      isClosing = true
      return handle.close()
    },
  }
}
