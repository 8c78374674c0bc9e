import type { HostedProvider } from '../../vendors/hosted-provider.ts'
import type { SelfieParts } from '../parts.ts'
import { submissionOf } from './attempt-queries.ts'
import type { AttemptRow } from './attempt-queries.ts'

/**
 * Has the vendor's side of an ended request removed, where it keeps any. It may fail without harm:
 * the picture is ours by then, or there is none.
 * @param ended.urls the pictures' addresses
 */
export async function forgetRequest(
  parts: Pick<SelfieParts, 'log'>,
  attempt: AttemptRow,
  ended: { provider: HostedProvider | undefined; urls: readonly string[]; signal: AbortSignal },
): Promise<void> {
  const { provider, urls, signal } = ended
  const submission = submissionOf(attempt)
  if (provider?.kind !== 'queued' || submission === undefined) return
  try {
    await provider.forget?.(submission, urls, signal)
  } catch (error) {
    parts.log.warn({ err: error, attemptId: attempt.id }, 'a vendor keeps what a request has left')
  }
}
