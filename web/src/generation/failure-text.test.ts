import { expect, it } from 'vitest'
import { ApiError } from '../api/call.ts'
import messages from '@starside/contract/texts/en/dashboard.json'
import { failureText } from './studio-problem.tsx'

const sentenceOf = (error: unknown, fallback: string) =>
  error instanceof ApiError && error.fromServer ? error.message : fallback
const failure = (message: string, code: string, fromServer = false) =>
  new ApiError(message, 200, code, fromServer)

it.each([
  [failure('No face was found.', 'face_missing', true), 'Generation failed: No face was found.'],
  [failure('', 'HTTP_ERROR'), 'Generation failed: Failed to generate image'],
  [failure('', 'BAD_ANSWER'), 'Generation failed: Unknown error occurred'],
  [failure('', 'NO_REASON'), 'Generation failed: AI generation failed'],
  [failure('', 'NO_PICTURE'), 'Generation failed: Failed to generate image'],
  [failure('Too dark.', 'NO_REASON', true), 'Generation failed: Too dark.'],
  [
    failure('Backend proxy failed: 502', 'PROXY_ERROR'),
    'Generation failed: Backend proxy failed: 502',
  ],
  [new Error('?'), 'Failed to generate celebrity selfie. Please try again.'],
])('%s is reported as "%s"', (error, text) => {
  expect(failureText(error, messages, sentenceOf)).toBe(text)
})
