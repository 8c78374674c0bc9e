import { EmbeddedPostgresError } from './embedded-postgres-error.ts'
import { isPostgresOf } from './postmaster-file.ts'
import type { RunningServer } from './running-server.ts'

/** A watch over a server that may not be our child, so that we can't wait for its exit. */
export interface ServerWatch {
  /** Resolves when the server has ended while it was watched. */
  readonly lost: Promise<EmbeddedPostgresError>
  end(): void
}

/** Looks once a second whether the server still runs. Doesn't keep the program alive. */
export function watchServer(server: RunningServer, cluster: string, everyMs = 1000): ServerWatch {
  const { promise, resolve } = Promise.withResolvers<EmbeddedPostgresError>()
  const look = async () => {
    if (await isPostgresOf(server.pid, cluster)) return
    clearInterval(timer)
    resolve(
      new EmbeddedPostgresError(
        'ended-unexpectedly',
        `The embedded PostgreSQL (process ${server.pid}) ended without being asked to. ` +
          'Start again; nothing that was acknowledged is lost.',
      ),
    )
  }
  const timer = setInterval(() => void look().catch(() => {}), everyMs)
  timer.unref()
  return { lost: promise, end: () => clearInterval(timer) }
}
