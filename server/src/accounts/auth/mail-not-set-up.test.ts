import { expect, test } from 'vitest'
import type { Context } from '../../app/context.ts'
import { handleAuth } from './routes.ts'

/** Whatever else of it is asked for is not there, so that nothing can be done before the refusal. */
const context = { mailer: { isSetUp: false } } as Partial<Context> as Context
const call = { body: { email: 'me@example.org' }, request: { ip: '10.0.0.1' }, user: {} } as never

test('without mail a forgotten password and a confirmation are refused before anything is done', async () => {
  const handlers = handleAuth(context, {} as never)
  for (const handle of [
    handlers['POST /api/auth?action=forgot-password'],
    handlers['POST /api/auth?action=send-confirmation'],
  ]) {
    await expect(handle(call)).rejects.toMatchObject({ code: 'mail_not_set_up' })
  }
})
