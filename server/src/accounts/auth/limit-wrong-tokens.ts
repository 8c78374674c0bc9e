import type { FastifyRequest } from 'fastify'
import { AppError } from '../../platform/errors/app-error.ts'
import type { AnonymousLimits } from './anonymous-limits.ts'

/**
 * Counts the tokens of mails that don't serve. One of 256 bits can't be guessed; the count only
 * keeps tries from costing much.
 */
export async function countingWrongTokens(
  anonymousLimits: AnonymousLimits,
  request: FastifyRequest,
  act: () => Promise<void>,
): Promise<void> {
  try {
    await act()
  } catch (error) {
    if (isWrongToken(error)) await anonymousLimits.countWrongToken(request.ip)
    throw error
  }
}

function isWrongToken(error: unknown): boolean {
  return (
    error instanceof AppError &&
    (error.code === 'reset_token_invalid' || error.code === 'confirmation_token_invalid')
  )
}
