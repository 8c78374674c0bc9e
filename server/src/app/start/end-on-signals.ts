/**
 * For every command: a signal it doesn't handle ends it by `process.exit`, so that what it started
 * ends too; a reader that leaves, such as `head`, ends it without a stack.
 */
import os from 'node:os'

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(signal, () => {
    // Another listener stops the program in its own way.
    if (process.listenerCount(signal) === 1) process.exit(128 + os.constants.signals[signal])
  })
}

for (const output of [process.stdout, process.stderr]) {
  output.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error
    process.exit()
  })
}
