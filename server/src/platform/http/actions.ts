import { queryText } from './query-text.ts'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '../errors/app-error.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Who sent it, once that is known; for the log. */
    userId?: string
    /** Of the answer's failure, for the notes that operators search. */
    failureCode?: string
    /** True when `?action=` names one of the route's acts. */
    actionIsKnown?: boolean
  }
}

export type ActionHandler = (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>

/**
 * The specification names what a call does by `?action=`. Picks the handler of that name, or
 * answers `unknown_action` with the names that exist.
 */
export function dispatchAction(handlers: Record<string, ActionHandler>): ActionHandler {
  return (request, reply) => {
    const action = queryText(request, 'action') ?? ''
    const handler = Object.hasOwn(handlers, action) ? handlers[action] : undefined
    if (handler === undefined) {
      throw new AppError('unknown_action', {
        sentence: `Unknown action. Accepted are: ${Object.keys(handlers).join(', ')}.`,
      })
    }
    request.actionIsKnown = true
    return handler(request, reply)
  }
}
