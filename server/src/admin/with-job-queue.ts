import { startJobQueue } from '../jobs/job-queue.ts'
import type { JobQueue, QueueSettings } from '../jobs/job-queue.ts'
import type { AdminParts } from './admin-command.ts'

/** Opens a queue for a command that only writes jobs; the program does them. */
export async function withJobQueue<Result>(
  parts: Pick<AdminParts, 'databaseUrl' | 'print'>,
  queue: QueueSettings,
  act: (jobs: JobQueue) => Promise<Result>,
): Promise<Result> {
  const jobs = await startJobQueue({
    databaseUrl: parts.databaseUrl,
    queues: [queue],
    works: false,
    subscribe: () => () => {},
    log: { error: (_details, message) => parts.print(message) },
  })
  try {
    return await act(jobs)
  } finally {
    await jobs.stop()
  }
}
