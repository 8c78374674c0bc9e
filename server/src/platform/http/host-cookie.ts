import type { FastifyReply, FastifyRequest } from 'fastify'

/** A cookie out of reach of scripts. */
export interface HostCookie {
  /** Its value, as far as it can be one of ours: letters, digits, `.`, `_` and `-`. */
  read(request: FastifyRequest): string | undefined
  /** Zero seconds take it away. */
  set(reply: FastifyReply, value: string, maxAgeSeconds: number): void
}

/** Over https its name keeps it to this host alone in browsers (RFC 6265bis, section 4.1.3.2). */
export function createHostCookie(
  name: string,
  { publicUrl }: { readonly publicUrl: string },
  sameSite: 'Strict' | 'Lax',
): HostCookie {
  const isHttps = publicUrl.startsWith('https:')
  const fullName = isHttps ? `__Host-${name}` : name
  return {
    read(request) {
      const pairs = (request.headers.cookie ?? '').slice(0, 4_000).split(';')
      const own = pairs.map((pair) => pair.trim()).find((pair) => pair.startsWith(`${fullName}=`))
      return /^[\w.-]{1,400}$/.exec(own?.slice(fullName.length + 1) ?? '')?.[0]
    },
    set(reply, value, maxAgeSeconds) {
      const attributes = [
        `${fullName}=${value}`,
        'Path=/',
        `Max-Age=${maxAgeSeconds}`,
        'HttpOnly',
        `SameSite=${sameSite}`,
        ...(isHttps ? ['Secure'] : []),
      ]
      void reply.header('set-cookie', attributes.join('; '))
    },
  }
}
