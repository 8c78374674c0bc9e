import { listRoutes } from '@starside/contract/routes/list-routes.ts'
import type { RouteDescription } from '@starside/contract/routes/list-routes.ts'

const routes = listRoutes().map((route) => ({
  route,
  pattern: new RegExp(`^${route.path.replaceAll('.', '[.]').replaceAll(/:\w+/g, '[^/]+')}$`),
}))

/**
 * Throws when a successful JSON answer of the API has another status or shape than its route
 * declares. What isn't declared, such as the operator's pages, is left alone.
 * @param path as it was called, with its query
 */
export function assertDeclaredAnswer(
  call: { method: string; path: string },
  answer: { status: number; body: unknown },
): void {
  const url = new URL(call.path, 'http://host')
  const action = url.searchParams.get('action') ?? undefined
  const found = routes.find(
    ({ route, pattern }) =>
      route.method === call.method && route.action === action && pattern.test(url.pathname),
  )
  if (found === undefined || answer.status >= 300) return
  const declared = declaredAnswer(found.route, answer.status)
  if (declared === undefined || 'mediaTypes' in declared) return
  const { error } = declared.schema.safeParse(answer.body)
  if (error !== undefined) {
    throw new Error(`${found.route.key} answered otherwise than declared`, { cause: error })
  }
}

function declaredAnswer(route: RouteDescription, status: number) {
  const found = Object.entries(route.answers).find(([of]) => Number(of) === status)
  if (found === undefined) {
    throw new Error(`${route.key} answered ${status}, which is not declared`)
  }
  return found[1]
}
