import type { LoggerOptions } from 'pino'
import { codeOf } from '../errors/code-of.ts'
import { readObject } from '../http/read-object.ts'

type LogMethodHook = NonNullable<NonNullable<LoggerOptions['hooks']>['logMethod']>

const warnLevel = 40
const windowMs = 60_000
/** Different messages that may be counted at the same time; beyond them, everything is written. */
const distinctMessagesMax = 500

/** A request's own end and a fault of ours are written each: their id leads to one complaint. */
const alwaysWritten = new Set(['request failed'])

/**
 * A hook of pino: of warnings and errors with one sentence and cause, writes the first at once, and
 * after a minute how often it came again, as `repeated`.
 */
export function foldRepeats(): LogMethodHook {
  const folded = new Map<string, { count: number; writeCount: () => void }>()
  return function writeOnce(args, method, level) {
    const [details, message] = typeof args[0] === 'string' ? [{}, args[0]] : [args[0], args[1]]
    const isExempt = level < warnLevel || alwaysWritten.has(String(message))
    const key = isExempt ? '' : `${level} ${String(message)} ${causeOf(details)}`
    const known = isExempt ? undefined : folded.get(key)
    if (known !== undefined) {
      known.count += 1
      // The latest one is reported, as it says how things stand now.
      known.writeCount = () =>
        Reflect.apply(method, this, [{ ...readObject(details), repeated: known.count }, message])
      return
    }
    Reflect.apply(method, this, args)
    if (isExempt || folded.size >= distinctMessagesMax) return
    folded.set(key, { count: 0, writeCount: () => undefined })
    setTimeout(() => {
      const ended = folded.get(key)
      folded.delete(key)
      ended?.writeCount()
    }, windowMs).unref()
  }
}

/** What tells one failure from another: its code, else its words without numbers. */
function causeOf(details: unknown): string {
  const { err } = readObject(details)
  if (!(err instanceof Error)) return ''
  const code = codeOf(err)
  return `${err.name} ${code === '' ? err.message.replaceAll(/\d+/g, '') : code}`
}
