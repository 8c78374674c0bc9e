import { errorTable } from '@starside/contract/errors.ts'
import type { ErrorCode } from '@starside/contract/errors.ts'
import type { RouteDescription } from '@starside/contract/routes/list-routes.ts'

/** The refusals of some calls by their HTTP status, those of every call included. */
export function failureStatuses(
  routes: readonly Pick<RouteDescription, 'errors' | 'access' | 'body' | 'action'>[],
): Map<number, ErrorCode[]> {
  const codes = new Set<ErrorCode>(['too_many_requests', 'internal', 'unavailable'])
  for (const { errors, access, body, action } of routes) {
    for (const code of errors) codes.add(code)
    if (access === 'user') codes.add('token_missing').add('token_invalid').add('account_suspended')
    if (body !== undefined) codes.add('invalid_request').add('body_too_large')
    if (action !== undefined) codes.add('unknown_action')
  }
  const statuses = new Map<number, ErrorCode[]>()
  for (const code of codes) {
    const { status } = errorTable[code]
    statuses.set(status, [...(statuses.get(status) ?? []), code])
  }
  return statuses
}
