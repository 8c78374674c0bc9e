import { randomBytes } from 'node:crypto'
import { operatorPages } from '../operator/operator-pages.ts'
import { openOperatorSession } from '../operator/operator-sessions.ts'
import type { OperatorRole } from '../operator/roles.ts'
import { hashPassword } from '../accounts/auth/password.ts'
import { insertRow } from '../platform/db/rows.ts'
import type { TestApp } from './open-test-app.ts'

/** A browser in which an operator has signed in to `/admin`. */
export interface OperatorBrowser {
  cookie: string
  csrf: string
  get(path: string): Promise<{ status: number; text: string; headers: Headers }>
  /** Sends a form as the page does, with its token; fields with files go as multipart. */
  submit(
    path: string,
    fields?: Record<string, string> | FormData,
  ): Promise<{ status: number; text: string; location: string | null; flash: string | undefined }>
}

/** Where pages take forms. */
const formPaths = operatorPages.flatMap(({ path, forms = {} }) =>
  Object.keys(forms).map((name) => new RegExp(`^${path.replaceAll(/:\w+/g, '[^/]+')}/${name}$`)),
)

/** Throws where a page sends a form to where no page takes it. */
function assertFormsAreTaken(page: string): void {
  for (const [, action = ''] of page.matchAll(/<form\s+method="post"\s+action="([^"]+)"/g)) {
    const isTaken = action === '/admin/sign-out' || formPaths.some((path) => path.test(action))
    if (!isTaken) throw new Error(`a form is sent to ${action}, which no page takes`)
  }
}

/** The password of all operators who are opened here. */
export const operatorPassword = 'correct horse battery'
let hash: Promise<string> | undefined

/** Signs somebody in who has that role; an operator of their own for every call. */
export async function openOperator(
  app: Pick<TestApp, 'url' | 'context'>,
  role: OperatorRole = 'owner',
): Promise<OperatorBrowser> {
  const { database, clock } = app.context
  const name = `${role}-${randomBytes(4).toString('hex')}`
  const passwordHash = await (hash ??= hashPassword(operatorPassword))
  const values = { name, role, password_hash: passwordHash }
  const { id } = await insertRow(database, 'operators', values)
  const secret = await openOperatorSession(
    { database, clock, randomBytes },
    { by: 'operator', operatorId: id, passwordHash, totpSecret: null },
  )
  const cookie = `starside_operator=${secret}`
  const get: OperatorBrowser['get'] = async (path) => {
    const response = await fetch(app.url + path, { headers: { cookie }, redirect: 'manual' })
    const text = await response.text()
    assertFormsAreTaken(text)
    return { status: response.status, text, headers: response.headers }
  }
  const { text } = await get('/admin')
  const csrf = /name="csrf" value="([^"]+)"/.exec(text)?.[1] ?? ''
  return {
    cookie,
    csrf,
    get,
    async submit(path, fields = {}) {
      const body = fields instanceof FormData ? fields : new URLSearchParams(fields)
      if (!body.has('csrf')) body.append('csrf', csrf)
      const response = await fetch(app.url + path, {
        method: 'POST',
        body,
        headers: { cookie, origin: app.url },
        redirect: 'manual',
      })
      const flash = /starside_operator_told=([^;]+)/.exec(response.headers.getSetCookie().join())
      return {
        status: response.status,
        text: await response.text(),
        location: response.headers.get('location'),
        flash: readTold(Buffer.from(flash?.[1] ?? '', 'base64url').toString()),
      }
    },
  }
}

/** What the next page says, such as `done Saved.` */
function readTold(text: string): string | undefined {
  if (text === '') return undefined
  const { kind, text: sentence } = JSON.parse(text) as { kind: string; text: string }
  return `${kind} ${sentence}`
}
