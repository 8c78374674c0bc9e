import type { Scene } from '@starside/engine/image-provider.ts'

/**
 * What hosted models are given, as data. Each picture keeps the version it was made with; any
 * change of a text below gets a new one. Short on purpose: long lists of identity rules were
 * found to cost likeness.
 */
export const promptTemplate = {
  version: 'selfie-5',
  parts: [
    'A casual arm’s-length phone selfie of {users} standing right beside ' +
      '{stars}, {both} looking into the camera.',
    'Keep {both} faces, hair, skin tone and age exactly as in their photos.',
    '{scene}',
    'One light source for {both}, matching light, shadows and perspective, natural skin texture, ' +
      'slight wide-angle lens.',
    'Exactly {count} people, {both} fully clothed adults, and a clean photo without any lettering.',
  ],
  /** The sentence of the scene slot when the user gave no words. */
  scenes: {
    own: 'The place is the background of image 1.',
    'sunny-street': 'The place is a wide old town square with arcades, the sun low.',
    'city-day': 'The place is a wide city street between tall buildings under a bright grey sky.',
    'beach-dusk': 'The place is by the sea at dusk, the sun about to set over the water.',
    forest: 'The place is a forest path with sunlight between the trees.',
    meadow: 'The place is a green meadow on a clear, sunny day.',
    cafe: 'The place is a café in a warm hotel lobby with many small lamps.',
    home: 'The place is a light living room with plain walls and a large window.',
    'red-carpet': 'The place is a red carpet at an evening premiere with photographers behind.',
    stage: 'The place is a concert, with the stage in coloured light behind them.',
    stadium: 'The place is a full football stadium in the evening under floodlights.',
    'city-night': 'The place is a lively city street at night with soft lights out of focus.',
    studio: 'The place is a photo studio with a plain light-grey backdrop.',
  } satisfies Record<Scene, string>,
  /** The scene slot where a photo of a place was sent. */
  sceneOfPhoto: 'The place is that of image {number}, without anybody who is in it.',
  /** Added to it when the user gave words too. */
  moodOfWords: 'The mood, in the user’s words: “{words}”.',
  /** The user's own words go here and nowhere else. */
  sceneOfWords: 'The place and mood, in the user’s words: “{words}”.',
} as const
