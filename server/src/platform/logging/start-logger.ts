import pino from 'pino'
import { foldRepeats } from './fold-repeats.ts'
import { traceOfLine } from './logger.ts'
import type { Logger } from './logger.ts'

/** The program's log outside of requests, in the same form as theirs. */
export function createStartLogger(level: string): Logger {
  return pino({
    level,
    redact: ['password', 'token', 'email', 'url'],
    mixin: traceOfLine,
    hooks: { logMethod: foldRepeats() },
  })
}
