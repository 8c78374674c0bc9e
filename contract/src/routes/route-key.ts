/** The parts of a route's key. No schema library here: browsers load this. */
export interface RouteAddress {
  method: string
  /** With `:name` for its parameters. */
  path: string
  /** The value of `?action=`; undefined for a call that its path alone names. */
  action: string | undefined
}

/** Reads a key such as `POST /api/auth?action=login`. */
export function parseRouteKey(key: string): RouteAddress {
  const [method = '', address = ''] = key.split(' ')
  const [path = '', query] = address.split('?action=')
  return { method, path, action: query }
}
