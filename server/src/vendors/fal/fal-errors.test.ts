import { expect, test } from 'vitest'
import { openCatalogue } from '../models/model-catalogue.ts'
import { falError, readFalOutput } from './fal-answers.ts'
import { buildFalInput } from './fal-provider.ts'

const detail = (type: string, msg = '') => ({ detail: [{ loc: ['body'], type, msg }] })

test.for<[number, unknown, string]>([
  [422, detail('content_policy_violation'), 'policy_refused'],
  [422, detail('no_media_generated'), 'policy_refused'],
  [422, detail('value_error', 'Flagged by the safety checker'), 'bad_input'],
  [422, detail('something_new', 'Flagged by the safety checker'), 'policy_refused'],
  [422, detail('something_new'), 'bad_input'],
  [422, detail('image_load_error'), 'bad_input'],
  [422, detail('generation_timeout'), 'timeout'],
  [422, detail('downstream_service_error'), 'provider_down'],
  [400, 'Bad Request', 'bad_input'],
  [401, { detail: 'No user' }, 'provider_down'],
  [402, { detail: 'Balance exhausted' }, 'provider_down'],
  [404, undefined, 'provider_down'],
  [429, undefined, 'provider_busy'],
  [500, null, 'provider_down'],
  [503, { detail: 'x', error_type: 'runner_scheduling_failure' }, 'provider_down'],
  [504, { detail: 'x', error_type: 'request_timeout' }, 'timeout'],
  [503, { detail: 'x', error_type: 'startup_timeout' }, 'timeout'],
])('%i %j is %s', ([status, body, kind]) => {
  expect(falError(status, body).kind).toBe(kind)
})

test.for([undefined, null, 7, 'text', [], {}, { images: [] }, { images: [{}] }, { images: [7] }])(
  'an output of %j is no picture',
  (output) => {
    expect(readFalOutput(output)).toMatchObject({ state: 'failed', error: { kind: 'unknown' } })
  },
)

const photo = {
  bytes: Buffer.from('x'),
  mediaType: 'image/jpeg',
  widthPx: 1,
  heightPx: 1,
  hasMatte: false,
} as const
const imageRequest = {
  prompt: 'p',
  userPhoto: photo,
  starPhotos: [photo],
  aspect: '4:5',
  count: 1,
} as const

test('each model is sent only the fields it takes', () => {
  const fieldsOf = (name: string) =>
    Object.keys(buildFalInput(openCatalogue().find('fal', name), imageRequest)).toSorted()
  const always = ['image_urls', 'prompt']
  expect(fieldsOf('fal-ai/bytedance/seedream/v5/lite/edit')).toEqual(
    [...always, 'enable_safety_checker', 'image_size', 'num_images'].toSorted(),
  )
  expect(fieldsOf('fal-ai/flux-2-pro/edit')).toEqual(
    [...always, 'image_size', 'output_format', 'safety_tolerance'].toSorted(),
  )
  expect(fieldsOf('fal-ai/qwen-image-2/edit')).toEqual(
    [...always, 'enable_safety_checker', 'image_size', 'num_images', 'output_format'].toSorted(),
  )
  expect(fieldsOf('openai/gpt-image-2/edit')).toEqual(
    [...always, 'image_size', 'num_images', 'output_format', 'quality'].toSorted(),
  )
  expect(fieldsOf('blackforestlabs/flux-3/edit-image')).toEqual(['aspect_ratio', ...always])
  expect(fieldsOf('somebody/unknown')).toEqual(always)
})
