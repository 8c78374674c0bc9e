import { expect, test } from 'vitest'
import { readConfig } from '../../config.ts'
import { photoRecipients } from './image-models.ts'

const recipientsWith = (settings: Record<string, string>, sendsPhotosTo?: string) =>
  photoRecipients(readConfig({ DATA_DIR: '/data', ...settings }).images, { sendsPhotosTo })

test('with the compositor alone, photos go to nobody', () => {
  expect(recipientsWith({})).toEqual([])
})

test('hosted providers are named as people know them, also those that only stand in', () => {
  const settings = {
    IMAGE_PROVIDERS: 'compositor,fal:google/nano-banana-2.1/edit,openai:gpt-image-1',
    FAL_KEY: 'key',
    OPENAI_API_KEY: 'key',
  }
  expect(recipientsWith(settings)).toEqual(['fal.ai', 'OpenAI'])
})

test('a server of one’s own is named by its host, and is nobody on this machine', () => {
  const withServer = (address: string) =>
    recipientsWith({ IMAGE_PROVIDERS: 'openai:flux', OPENAI_BASE_URL: address })
  expect(withServer('http://pictures.example:8080/v1')).toEqual(['pictures.example'])
  expect(withServer('http://127.0.0.1:8080/v1')).toEqual([])
  expect(withServer('http://[::1]:8080/v1')).toEqual([])
  expect(withServer('http://localhost:8080/v1')).toEqual([])
  expect(withServer('http://localhost.example/v1')).toEqual(['localhost.example'])
})

test('a classifier that sends photos out is named, once', () => {
  expect(recipientsWith({}, 'Sightengine')).toEqual(['Sightengine'])
  const settings = { IMAGE_PROVIDERS: 'openai:gpt-image-1', OPENAI_API_KEY: 'key' }
  expect(recipientsWith(settings, 'OpenAI')).toEqual(['OpenAI'])
})
