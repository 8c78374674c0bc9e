/** Why the engine's process went away under its calls. */
export type CrashReason = 'exit' | 'start' | 'time_limit' | 'memory_limit' | 'closed'

const sentences: Record<CrashReason, string> = {
  exit: 'The engine’s process ended unexpectedly.',
  start: 'The engine’s process could not be started.',
  time_limit: 'A call overran its time limit, and the engine’s process was stopped.',
  memory_limit: 'The engine’s process used too much memory and was stopped.',
  closed: 'The engine was closed.',
}

/** The engine's process ended while a call was under way; the call may be tried again. */
export class EngineCrashedError extends Error {
  override name = 'EngineCrashedError'
  readonly reason: CrashReason

  /** @param details what the process said last, for the operator */
  constructor(reason: CrashReason, details = '') {
    super(details === '' ? sentences[reason] : `${sentences[reason]} ${details}`)
    this.reason = reason
  }
}
