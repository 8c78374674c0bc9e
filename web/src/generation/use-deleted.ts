import { useState } from 'react'
import { deletionUndoMs } from '@starside/contract/limits.ts'
import { useNow } from '../ui/use-elapsed.ts'

/** What can still be brought back: one undo for all that was deleted while it stood, the last first. */
export function useDeleted() {
  const [deleted, setDeleted] = useState<{ ids: readonly string[]; untilMs: number } | null>(null)
  const nowMs = useNow(deleted !== null)
  // The server keeps them for a while; after that there is nothing to undo.
  if (deleted && nowMs >= deleted.untilMs) setDeleted(null)
  /** The time of all begins anew. */
  const offerUndo = (ids: readonly string[], untilMs: number): void =>
    setDeleted((before) => ({ ids: [...ids, ...(before?.ids ?? [])], untilMs }))
  /** Brings them back one after the other, until one fails; gives the ids of those that came. */
  const restore = async (restoreOne: (id: string) => Promise<boolean>): Promise<string[]> => {
    const ids = deleted?.ids ?? []
    setDeleted(null)
    let count = 0
    while (count < ids.length && (await restoreOne(ids[count]!))) count += 1
    if (deleted && count < ids.length) offerUndo(ids.slice(count), deleted.untilMs)
    return ids.slice(0, count)
  }
  return {
    deletedIds: deleted?.ids ?? null,
    /** How long they can still be brought back. */
    undoSeconds: Math.ceil(Math.min(deletionUndoMs, (deleted?.untilMs ?? 0) - nowMs) / 1_000),
    offerUndo,
    restore,
  }
}
