import type { FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { parseJson } from '../platform/http/read-object.ts'
import { operatorSessionMs } from './operator-sessions.ts'

/** The cookies of the operator's pages and how long they are kept; none is sent anywhere else. */
const cookies = {
  session: { fullName: 'starside_operator', maxAgeSeconds: operatorSessionMs / 1_000 },
  device: { fullName: 'starside_operator_device', maxAgeSeconds: 180 * 24 * 60 * 60 },
  told: { fullName: 'starside_operator_told', maxAgeSeconds: 60 },
} as const
type CookieName = keyof typeof cookies

const toldLengthMax = 1_000

/** The value of a cookie, as far as it can be one of ours. */
export function readOperatorCookie(request: FastifyRequest, name: CookieName): string | undefined {
  const pattern = new RegExp(`(?:^|;\\s*)${cookies[name].fullName}=([\\w.-]{1,4000})(?:;|$)`)
  return pattern.exec(request.headers.cookie ?? '')?.[1]
}

export type OperatorCookies = ReturnType<typeof createOperatorCookies>

/** Writes cookies for `/admin` alone, out of reach of scripts and of other sites. */
export function createOperatorCookies(isHttps: boolean) {
  const write = (reply: FastifyReply, name: CookieName, value: string) => {
    const { fullName, maxAgeSeconds } = cookies[name]
    void reply.header(
      'set-cookie',
      `${fullName}=${value}; Path=/admin; HttpOnly; SameSite=Strict; ` +
        `Max-Age=${value === '' ? 0 : maxAgeSeconds}${isHttps ? '; Secure' : ''}`,
    )
  }
  return {
    /** An empty value takes it away. */
    write,
    setTold(reply: FastifyReply, told: Told) {
      const text = told.text.slice(0, toldLengthMax)
      write(reply, 'told', Buffer.from(JSON.stringify({ ...told, text })).toString('base64url'))
    },
    takeTold(request: FastifyRequest, reply: FastifyReply): Told | undefined {
      const value = readOperatorCookie(request, 'told')
      if (value === undefined) return undefined
      write(reply, 'told', '')
      // What another program wrote under this name is no sentence of ours.
      return toldCookie.safeParse(parseJson(Buffer.from(value, 'base64url').toString())).data
    },
  }
}

const toldCookie = z.object({
  kind: z.enum(['done', 'problem']),
  text: z.string().min(1),
  /** The form that was sent, and which of that name. */
  form: z.string().optional(),
  row: z.string().optional(),
})
/** What a page says above its content: what was done, or why nothing was. */
export type Told = z.output<typeof toldCookie>
