import type { GenerationItem } from '@starside/contract/generation.ts'

/** A finished selfie, for tests. */
export const testSelfie: GenerationItem = {
  generationId: 'one',
  state: 'done',
  stage: 'done',
  celebrity: 'Elena Vassandri',
  celebrities: ['Elena Vassandri'],
  presetId: 'elena-vassandri',
  scene: 'own',
  imageUrl: '/one.jpg',
  downloadUrl: '/one.png',
  thumbnailUrl: '/one-small.jpg',
  widthPx: 1024,
  heightPx: 1280,
  watermarked: true,
  error: null,
  code: null,
  createdAt: '2026-11-22T12:00:00Z',
  finishedAt: '2026-11-22T12:00:10Z',
  shareUrl: null,
  variations: [],
  adjustableUntil: null,
  hasMoreVariations: false,
}
