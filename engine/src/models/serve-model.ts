import type { ModelReply, ModelRequest } from './model-process.ts'

const memoryReportIntervalMs = 250

/**
 * Serves a model to the parent process until the channel closes; one that `open` can't load ends
 * the process with its sentence.
 */
export async function serveModel<Answer>(
  open: () => Promise<(picture: Uint8Array) => Promise<Answer>>,
): Promise<void> {
  const send = (reply: ModelReply<Answer>): void => {
    if (process.connected) process.send?.(reply, () => undefined)
  }
  const reportMemory = (): void => {
    send({ type: 'memory', residentBytes: process.memoryUsage.rss() })
  }
  process.on('disconnect', () => process.exit(0))
  // A terminal's Ctrl-C reaches every process of the group; the parent decides when this one ends.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {})
  setInterval(reportMemory, memoryReportIntervalMs)
  const judge = await open().catch((error: unknown) => endWith(error))
  process.on('message', ({ id, picture }: ModelRequest) => {
    void judge(picture)
      .then(
        (answer) => send({ type: 'answer', id, answer }),
        (error: unknown) => send({ type: 'failure', id, message: wordsOf(error) }),
      )
      .then(reportMemory)
  })
  send({ type: 'ready' })
}

/** The parent passes the end of standard error on to the operator. */
async function endWith(error: unknown): Promise<never> {
  const code = error instanceof Error && 'code' in error ? `${String(error.code)}: ` : ''
  process.stderr.write(`${code}${wordsOf(error)}`, () => process.exit(1))
  return await new Promise<never>(() => undefined)
}

function wordsOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
