import { beforeEach, expect, it } from 'vitest'
import { storageKeys } from '@starside/contract/api.ts'
import { generatedImageLifetimeMs } from '@starside/contract/limits.ts'
import { restoreGeneratedImage, storeGeneratedImage } from './image-cache.ts'

const nowMs = 1_800_000_000_000
beforeEach(() => localStorage.clear())

it('gives the picture back for 30 minutes', () => {
  storeGeneratedImage({ imageUrl: '/p.jpg', generationId: 'g' }, nowMs)
  expect(restoreGeneratedImage(nowMs + generatedImageLifetimeMs - 1)).toEqual({
    imageUrl: '/p.jpg',
    generationId: 'g',
    timestamp: nowMs,
  })
})

it('removes it after that', () => {
  storeGeneratedImage({ imageUrl: '/p.jpg' }, nowMs)
  expect(restoreGeneratedImage(nowMs + generatedImageLifetimeMs)).toBeNull()
  expect(localStorage.getItem(storageKeys.generatedImage)).toBeNull()
})

it.each(['not json', '{}', '{"imageUrl":1,"timestamp":2}', 'null'])('removes %s', (text) => {
  localStorage.setItem(storageKeys.generatedImage, text)
  expect(restoreGeneratedImage(nowMs)).toBeNull()
  expect(localStorage.getItem(storageKeys.generatedImage)).toBeNull()
})
