import { ApiError } from '../api/api-error.ts'
import { fill } from '@starside/contract/fill.ts'
import type { DashboardMessages } from '../ui/messages/catalogues.ts'

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
  const unnamed: Record<string, string | undefined> = {
    NO_REASON: m.aiGenerationFailed,
    NO_PICTURE: m.failedToGenerateImage,
    BAD_ANSWER: m.unknownError,
  }
  const own = unnamed[failure.code] ?? (failure.message || m.failedToGenerateImage)
  return fill(m.generationFailed, { reason: sentenceOf(failure, own) })
}
