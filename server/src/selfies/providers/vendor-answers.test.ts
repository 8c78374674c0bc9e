import type { DirectBehaviour } from '../../testing/vendors/direct-server.ts'
import type { DialectName } from '../../testing/vendors/direct-dialects.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { auditBooks } from '../../ledger/credits/audit.ts'
import { openHostedApp } from '../../testing/open-hosted-app.ts'
import type { HostedApp } from '../../testing/open-hosted-app.ts'

const chains: Record<DialectName, string> = {
  openai: 'openai:gpt-image-2',
  sdcpp: 'sdcpp:flux-2-klein-4b',
  google: 'google:gemini-3.1-flash-lite-image',
}
const names = ['openai', 'sdcpp', 'google'] as const

/** What follows from each answer, the same at every vendor but for those that are named. */
const answers: readonly {
  behaviour: DirectBehaviour
  expected: readonly [status: number, code: string | undefined]
  but?: Partial<Record<DialectName, readonly [status: number, code: string | undefined]>>
  /** Vendors that never answer so. */
  without?: readonly DialectName[]
}[] = [
  { behaviour: 'picture', expected: [200, undefined] },
  { behaviour: 'many', expected: [200, undefined] },
  { behaviour: 'fewer', expected: [200, undefined] },
  { behaviour: 'first_broken', expected: [502, 'generation_failed'] },
  {
    behaviour: 'refusal',
    expected: [422, 'provider_refused'],
    but: { sdcpp: [422, 'provider_bad_input'] },
  },
  { behaviour: 'bad_input', expected: [422, 'provider_bad_input'] },
  {
    behaviour: 'no_quota',
    expected: [502, 'provider_down'],
    without: ['sdcpp', 'google'],
  },
  { behaviour: 'down', expected: [502, 'provider_down'] },
  { behaviour: 'unauthorised', expected: [502, 'provider_down'], without: ['sdcpp'] },
  { behaviour: 'redirect', expected: [502, 'provider_down'] },
  { behaviour: 'drop', expected: [502, 'provider_down'] },
  { behaviour: 'work_and_drop', expected: [502, 'provider_down'] },
  { behaviour: 'huge_body', expected: [502, 'generation_failed'] },
  { behaviour: 'html', expected: [502, 'generation_failed'] },
  { behaviour: 'empty', expected: [502, 'generation_failed'] },
  { behaviour: 'not_a_picture', expected: [502, 'generation_failed'] },
  { behaviour: 'truncated', expected: [502, 'generation_failed'] },
  { behaviour: 'tiny', expected: [502, 'generation_failed'] },
  { behaviour: 'gif', expected: [502, 'generation_failed'] },
  { behaviour: 'private_url', expected: [502, 'generation_failed'] },
  { behaviour: 'detail_error', expected: [422, 'provider_bad_input'], without: ['google'] },
]

describe.each(names)('what %s answers', (name) => {
  let hosted: HostedApp
  beforeAll(async () => {
    hosted = await openHostedApp({
      chain: chains[name],
      settings: { IMAGE_CIRCUIT_FAILURES: '1000' },
    })
  })
  afterAll(() => hosted[Symbol.asyncDispose]())

  test('is a picture, an error that the person reads, or the credit back, and asked for once', async () => {
    const service = hosted.direct[name]
    for (const { behaviour, expected, but, without } of answers) {
      if (without?.includes(name) === true) continue
      const { token } = await hosted.signIn()
      const before = service.calls().length
      service.next(behaviour)
      const { status, body } = await hosted.generate(token)
      const [code, word] = but?.[name] ?? expected
      const balance = await hosted.balance(token)
      expect({ behaviour, status, code: body.code, balance }).toEqual({
        behaviour,
        status: code,
        code: word,
        balance: code === 200 ? 0 : 1,
      })
      // A wrong key is noticed before the request is read.
      expect(service.calls().length - before).toBe(behaviour === 'unauthorised' ? 0 : 1)
    }
    expect((await auditBooks(hosted.app.context.database)).findings).toEqual([])
  })

  test('is tried again where the vendor is only busy', async () => {
    const { token } = await hosted.signIn()
    hosted.direct[name].next('busy', 'busy')
    expect((await hosted.generate(token)).status).toBe(200)
    expect((await hosted.lastAttempt()).busy_count).toBe(2)
  })
})
