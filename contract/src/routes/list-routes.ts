import type { RouteDeclaration } from './declare-routes.ts'
import { parseRouteKey } from './route-key.ts'
import type { RouteAddress } from './route-key.ts'
import { routeGroups } from './routes.ts'

/** A declaration with its address and what it belongs to. */
export interface RouteDescription extends RouteDeclaration, RouteAddress {
  key: string
  group: string
}

/** All routes in the order of their declaration. */
export function listRoutes(): RouteDescription[] {
  return Object.entries(routeGroups).flatMap(([group, routes]) =>
    Object.entries<RouteDeclaration>(routes).map(([key, route]) => ({
      ...route,
      ...parseRouteKey(key),
      key,
      group,
    })),
  )
}
