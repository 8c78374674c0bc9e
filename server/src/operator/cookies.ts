import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Flash } from './frame.ts'

/** The cookies of the operator's pages; none is sent anywhere else. */
const cookieNames = {
  session: 'starside_operator',
  device: 'starside_operator_device',
  flash: 'starside_operator_flash',
} as const
type CookieName = keyof typeof cookieNames

const deviceMaxAgeSeconds = 180 * 24 * 60 * 60
const flashMaxAgeSeconds = 60
const flashLengthMax = 1_000

/** The value of a cookie, as far as it can be one of ours. */
export function readOperatorCookie(request: FastifyRequest, name: CookieName): string | undefined {
  const pattern = new RegExp(`(?:^|;\\s*)${cookieNames[name]}=([\\w.%!'()*~-]{1,4000})(?:;|$)`)
  return pattern.exec(request.headers.cookie ?? '')?.[1]
}

export type OperatorCookies = ReturnType<typeof createOperatorCookies>

/** Writes cookies for `/admin` alone, out of reach of scripts and of other sites. */
export function createOperatorCookies(isHttps: boolean) {
  const write = (reply: FastifyReply, name: CookieName, value: string, maxAgeSeconds: number) =>
    reply.header(
      'set-cookie',
      `${cookieNames[name]}=${value}; Path=/admin; HttpOnly; SameSite=Strict; Max-Age=${maxAgeSeconds}` +
        (isHttps ? '; Secure' : ''),
    )
  return {
    setSession: (reply: FastifyReply, secret: string, maxAgeSeconds: number) =>
      write(reply, 'session', secret, maxAgeSeconds),
    clearSession: (reply: FastifyReply) => write(reply, 'session', '', 0),
    setDevice: (reply: FastifyReply, text: string) =>
      write(reply, 'device', text, deviceMaxAgeSeconds),
    /** What the next page says once. */
    setFlash: (reply: FastifyReply, { kind, text }: Flash) =>
      write(
        reply,
        'flash',
        encodeURIComponent(`${kind} ${text.slice(0, flashLengthMax)}`),
        flashMaxAgeSeconds,
      ),
    takeFlash(request: FastifyRequest, reply: FastifyReply): Flash | undefined {
      const value = readOperatorCookie(request, 'flash')
      if (value === undefined) return undefined
      write(reply, 'flash', '', 0)
      const match = /^(done|problem) (.+)$/su.exec(decode(value))
      const [, kind, text] = match ?? []
      if (text === undefined) return undefined
      return { kind: kind === 'done' ? 'done' : 'problem', text }
    },
  }
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return ''
  }
}
