import { expect, test } from 'vitest'
import { falError, falWebhookError, readFalOutput } from './fal-answers.ts'

test.each([
  ['content_policy_violation', 'policy_refused'],
  ['no_media_generated', 'policy_refused'],
  ['face_detection_error', 'bad_input'],
  ['image_too_large', 'bad_input'],
  ['image_too_small', 'bad_input'],
  ['file_download_error', 'bad_input'],
  ['file_too_large', 'bad_input'],
  ['unsupported_image_format', 'bad_input'],
  ['missing', 'bad_input'],
  ['downstream_service_unavailable', 'provider_down'],
  ['internal_server_error', 'provider_down'],
])('a model that says %s: %s', (type, kind) => {
  expect(falError(422, { detail: [{ type }] }).kind).toBe(kind)
  expect(falError(400, { detail: { type } }).kind).toBe(kind)
})

test.each([
  'Violates our Content Policy',
  'safety system',
  'moderation',
  'Flagged',
  'NSFW',
  'sensitive content',
])('words of a refusal are one: %s', (msg) => {
  expect(falError(422, { detail: msg }).kind).toBe('policy_refused')
  expect(falError(500, { detail: msg }).kind).toBe('provider_down')
})

test('the vendor’s words are kept, whatever their shape', () => {
  const words = (body: unknown) => falError(422, body).message
  expect(words({ detail: 'plain' })).toBe('fal answered 422: plain')
  expect(words({ detail: [{ type: 'missing', msg: 'no prompt' }] })).toBe(
    'fal answered 422: missing no prompt',
  )
  expect(words({ detail: [{ msg: 'alone' }] })).toBe('fal answered 422: alone')
  expect(words({ detail: [{ type: 7, msg: 8 }] })).toBe('fal answered 422: ')
})

test('a status of too many, too slow or else is that', () => {
  const kind = (status: number, body: unknown = {}) => falError(status, body).kind
  expect([kind(429), kind(504), kind(408), kind(418)]).toEqual([
    'provider_busy',
    'timeout',
    'timeout',
    'provider_down',
  ])
  expect(kind(503, { detail: 'x', error_type: 'startup_timeout' })).toBe('timeout')
  expect(kind(503, { detail: 'x', error_type: 'timeout_of_startup' })).toBe('provider_down')
  expect(falError(429, {}, 5_000).retryAfterMs).toBe(5_000)
})

test('the error of a webhook is that of its status, of its type, or unknown', () => {
  const told = (error: string | undefined, payload: unknown) => {
    const { kind, message } = falWebhookError(error, payload)
    return [kind, message]
  }
  expect(told('Unexpected status code: 429', {})).toEqual(['provider_busy', 'fal answered 429: '])
  expect(told('Unexpected status code: 1429', {})[0]).toBe('unknown')
  expect(told(undefined, { detail: [{ type: 'image_too_small', msg: 'x' }] })).toEqual([
    'bad_input',
    'fal answered 422: image_too_small x',
  ])
  expect(told('it broke', { detail: 'more' })).toEqual(['unknown', 'fal told an error: it broke'])
  expect(told(undefined, { detail: 'more' })).toEqual(['unknown', 'fal told an error: more'])
})

test('pictures are all of a list, or the only one, as objects or addresses', () => {
  const [one, other] = ['https://fal.media/a', 'https://fal.media/b']
  for (const [output, urls] of [
    [{ images: [{ url: one }, { url: other }] }, [one, other]],
    [{ images: [one, { url: '' }, 7, null] }, [one]],
    [{ image: { url: one } }, [one]],
    [{ image: one, has_nsfw_concepts: [false] }, [one]],
    [{ image: one, has_nsfw_concepts: true }, [one]],
    // What the filter has blackened is left out.
    [{ images: [one, other], has_nsfw_concepts: [true, false] }, [other]],
  ] as const) {
    expect(readFalOutput(output)).toEqual({ state: 'pictures', urls })
  }
  const failed = (kind: string) => ({ state: 'failed', error: { kind } })
  const flagged = { images: [one, other], has_nsfw_concepts: [true, true] }
  expect(readFalOutput(flagged)).toMatchObject(failed('policy_refused'))
  expect(readFalOutput({ image: '' })).toMatchObject(failed('unknown'))
  expect(readFalOutput({ images: [] })).toMatchObject(failed('unknown'))
})
