import { isErrorCode } from '@starside/contract/errors.ts'
import { expect, test } from 'vitest'
import { HostedError, hostedErrorKinds, hostedErrorRules } from './hosted-error.ts'

test('a vendor’s words are kept to three hundred characters, and its reason with them', () => {
  const cause = new Error('fetch failed')
  const error = new HostedError('timeout', `${'x'.repeat(300)}y`, { cause, retryAfterMs: 7 })
  expect(error.message).toBe('x'.repeat(300))
  expect([error.name, error.kind, error.cause, error.retryAfterMs]).toEqual([
    'HostedError',
    'timeout',
    cause,
    7,
  ])
})

test('a request counts as never accepted unless that may have been', () => {
  expect(new HostedError('timeout', '').maybeAccepted).toBe(false)
  expect(new HostedError('timeout', '', { maybeAccepted: true }).maybeAccepted).toBe(true)
})

test('only a vendor that turned a request away for now is asked again for one charge', () => {
  const retried = hostedErrorKinds.filter((kind) => hostedErrorRules[kind].retriesMax > 0)
  expect(retried).toEqual(['provider_busy'])
})

test('a refusal of what somebody sent is no fault of the provider: nobody else is asked', () => {
  const staying = hostedErrorKinds.filter((kind) => !hostedErrorRules[kind].failsOver)
  expect(staying).toEqual(['policy_refused', 'bad_input'])
  const opening = hostedErrorKinds.filter((kind) => hostedErrorRules[kind].opensCircuit)
  expect(opening).toEqual(['provider_down', 'timeout'])
})

test('every kind has a sentence for the person whose selfie it ended', () => {
  for (const { code } of Object.values(hostedErrorRules)) expect(isErrorCode(code)).toBe(true)
})
