import { ApiError } from '../api/api-error.ts'
import { fill } from '../ui/fill.ts'
import type { DashboardMessages } from '../ui/messages/dashboard.en.ts'

/**
 * 'Generation failed: {reason}' with the fallbacks of the specification's section 8. `sentenceOf`
 * gives the server's sentence in the reader's language, else what it is given.
 */
export function failureText(
  failure: unknown,
  m: DashboardMessages,
  sentenceOf: (error: unknown, fallback: string) => string,
): string {
  if (!(failure instanceof ApiError)) return m.failedToGenerateSelfie
  const unnamed = failure.code === 'BAD_ANSWER' ? m.unknownError : m.failedToGenerateImage
  const own = failure.message === '' || failure.code === 'BAD_ANSWER' ? unnamed : failure.message
  return fill(m.generationFailed, { reason: sentenceOf(failure, own) })
}
