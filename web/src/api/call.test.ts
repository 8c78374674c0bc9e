import { afterEach, expect, it, vi } from 'vitest'
import { call } from './call.ts'
import { clearToken, storeToken } from './token.ts'

afterEach(() => {
  clearToken()
  vi.unstubAllGlobals()
})

/** Asks for the profile with the token `asked`, and has it refused once `meanwhile` was done. */
async function refuse(asked: string | null, meanwhile: () => void): Promise<number> {
  if (asked !== null) storeToken(asked)
  const { promise, resolve } = Promise.withResolvers<Response>()
  vi.stubGlobal('fetch', () => promise)
  let endedSessions = 0
  const count = () => (endedSessions += 1)
  addEventListener('session-ended', count)
  const answered = call('GET /api/user?action=profile')
  meanwhile()
  const code = asked === null ? 'token_missing' : 'token_invalid'
  resolve(Response.json({ success: false, error: 'No.', code }, { status: 401 }))
  await expect(answered).rejects.toMatchObject({ code })
  removeEventListener('session-ended', count)
  return endedSessions
}

it('a refused token ends the session that it belongs to', async () => {
  expect(await refuse('ada', () => undefined)).toBe(1)
  clearToken()
  expect(await refuse(null, () => undefined)).toBe(1)
})

it('a token that is refused late ends neither the next session nor one that was signed out', async () => {
  expect(await refuse('ada', () => storeToken('grace'))).toBe(0)
  expect(await refuse('ada', clearToken)).toBe(0)
  expect(await refuse(null, () => storeToken('grace'))).toBe(0)
})

it('a refused cookie of an event’s guest ends no session of the site', async () => {
  history.replaceState(null, '', '/e/gala')
  expect(await refuse(null, () => undefined)).toBe(0)
  history.replaceState(null, '', '/')
})

it('a refusal says which selfie it speaks of', async () => {
  const refusal = { success: false, error: 'There.', code: 'already_made', generationId: 'g1' }
  vi.stubGlobal('fetch', async () => Response.json(refusal, { status: 409 }))
  await expect(call('GET /api/config')).rejects.toMatchObject({ generationId: 'g1' })
})

it('of a refusal without words or code the status is reported', async () => {
  const refusal = { success: false, error: '', code: '' }
  vi.stubGlobal('fetch', async () => Response.json(refusal, { status: 502 }))
  await expect(call('GET /api/config')).rejects.toMatchObject({
    message: 'HTTP error! status: 502',
    code: 'HTTP_ERROR',
    fromServer: false,
  })
})

it.each([
  ['another refusal than of a token', 401, 'credentials_wrong'],
  ['another status than that of a refused token', 403, 'token_invalid'],
])('%s ends no session', async (_what, status, code) => {
  storeToken('ada')
  const ended = vi.fn()
  addEventListener('session-ended', ended)
  vi.stubGlobal('fetch', async () =>
    Response.json({ success: false, error: 'No.', code }, { status }),
  )
  await expect(call('GET /api/user?action=profile')).rejects.toMatchObject({ code })
  expect(ended).not.toHaveBeenCalled()
  removeEventListener('session-ended', ended)
})

it.each([
  ['is no JSON', () => new Response('<h1>Hello</h1>'), 'BAD_ANSWER'],
  ['is no object', () => Response.json('done'), 'BAD_ANSWER'],
  ['does not say that it is a success', () => Response.json({}), 'HTTP_ERROR'],
  ['is no success and says no more', () => Response.json({ success: false }), 'HTTP_ERROR'],
])('a good answer that %s is a failure', async (_how, answer, code) => {
  vi.stubGlobal('fetch', async () => answer())
  await expect(call('GET /api/config')).rejects.toMatchObject({ code, status: 200 })
  await expect(call('GET /api/config')).rejects.not.toThrow(/status/)
})
