import type { CelebrityPreset } from '@starside/contract/presets.ts'

/** A preset star for tests; `change` says what matters in them. */
export function testStar(change: Partial<CelebrityPreset> = {}): CelebrityPreset {
  return {
    id: 'ada-vale',
    name: 'Ada Vale',
    image: '/api/presets/ada-vale.jpg',
    thumbnail: { avif: null, jpeg: '' },
    category: 'music',
    line: null,
    licence: 'CC0 1.0',
    attribution: 'Starside',
    aiGenerated: true,
    tightCrop: false,
    ...change,
  }
}
