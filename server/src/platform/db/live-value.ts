import type { Logger } from '../logging/logger.ts'
import type { Notifications } from './notifications.ts'

/** What a part needs that keeps live values. */
export interface LiveParts {
  notifications: Pick<Notifications, 'subscribe'>
  log: Pick<Logger, 'warn'>
}

/** Keeps a value read, anew at its topic and from time to time; a failed read changes nothing. */
export async function openLiveValue<Value>(
  { notifications, log }: LiveParts,
  options: { name: string; read: () => Promise<Value>; topic?: string; pollIntervalMs: number },
) {
  const { name, read, topic, pollIntervalMs } = options
  let value = await read()
  let begun = 0
  let known = 0

  /** Reads it anew, as after a change of one's own. */
  async function refresh(): Promise<void> {
    begun += 1
    const reading = begun
    const next = await read()
    // The answer to an earlier reading may come later.
    if (reading < known) return
    known = reading
    value = next
  }
  const refreshInBackground = () => {
    refresh().catch((error: unknown) => log.warn({ err: error }, `${name} could not be read`))
  }
  const unsubscribe =
    topic === undefined ? undefined : notifications.subscribe(topic, refreshInBackground)
  const poll = setInterval(refreshInBackground, pollIntervalMs)
  poll.unref()
  return {
    current: () => value,
    refresh,
    close() {
      clearInterval(poll)
      unsubscribe?.()
    },
  }
}
