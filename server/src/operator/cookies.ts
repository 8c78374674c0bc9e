import type { FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { Told } from './operator-page.ts'

/** The cookies of the operator's pages; none is sent anywhere else. */
const cookieNames = {
  session: 'starside_operator',
  device: 'starside_operator_device',
  told: 'starside_operator_told',
} as const
type CookieName = keyof typeof cookieNames

const deviceMaxAgeSeconds = 180 * 24 * 60 * 60
const toldMaxAgeSeconds = 60
const toldLengthMax = 1_000

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
    setTold: (reply: FastifyReply, told: Told) =>
      write(
        reply,
        'told',
        encodeURIComponent(JSON.stringify({ ...told, text: told.text.slice(0, toldLengthMax) })),
        toldMaxAgeSeconds,
      ),
    takeTold(request: FastifyRequest, reply: FastifyReply): Told | undefined {
      const value = readOperatorCookie(request, 'told')
      if (value === undefined) return undefined
      write(reply, 'told', '', 0)
      return readTold(value)
    },
  }
}

const toldCookie = z.object({
  kind: z.enum(['done', 'problem']),
  text: z.string().min(1),
  form: z.string().optional(),
  row: z.string().optional(),
})

/** What another program wrote under this name is no sentence of ours. */
function readTold(value: string): Told | undefined {
  try {
    return toldCookie.safeParse(JSON.parse(decodeURIComponent(value))).data
  } catch {
    return undefined
  }
}
