import statuses from './error-statuses.json' with { type: 'json' }
import sentences from './texts/en/errors.json' with { type: 'json' }

/**
 * Every expected failure, each with a sentence in `texts/<language>/errors.json`; none uses a credit.
 * A slow upload is no 408 (RFC 9110, section 15.5.9): browsers repeat such a request by themselves.
 */
export type ErrorCode = keyof typeof statuses

/** The HTTP status of each failure, and the sentence a person reads, in English. */
export const errorTable = Object.fromEntries(
  Object.entries(statuses satisfies Record<keyof typeof sentences, number>).map(
    ([code, status]) => [code, { status, sentence: sentences[code as ErrorCode] }],
  ),
) as Readonly<Record<ErrorCode, { status: number; sentence: string }>>

/** True when `code` is a member of the closed list. */
export function isErrorCode(code: unknown): code is ErrorCode {
  return typeof code === 'string' && Object.hasOwn(statuses, code)
}
