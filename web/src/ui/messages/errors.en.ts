import type { ErrorCode } from '@starside/contract/errors.ts'

/** In English the server's own sentence is shown, so that nothing stands here. */
export const messages: Partial<Record<ErrorCode, string>> = {}

export type ErrorMessages = typeof messages
