import { expect, test } from 'vitest'
import type { Arrangement } from '@starside/contract/arrangement.ts'
import {
  testArrangement,
  testNeighbour as star,
  testUser as user,
} from './testing/test-arrangement.ts'
import { describeVariation } from './variation-strip.tsx'

const best = testArrangement

test.each<[string, Partial<Arrangement>, string[]]>([
  ['the best one itself', {}, []],
  ['people who only stand elsewhere', { subjects: [{ ...user, x: 0.4 }, star] }, []],
  ['sides', { subjects: [star, user] }, ['swapped']],
  ['the star in front', { frontToBack: [1, 0] }, ['starInFront']],
  ['larger heads', { subjects: [{ ...user, size: 0.39 }, star] }, ['closer']],
  ['a little larger ones', { subjects: [{ ...user, size: 0.37 }, star] }, []],
  ['smaller heads', { subjects: [user, star].map((one) => ({ ...one, size: 0.3 })) }, ['wider']],
  ['a mirrored star', { subjects: [user, { ...star, mirrored: true }] }, ['mirrored']],
  ['another place and format', { scene: 'stage', aspect: '1:1' }, ['scene', 'format']],
])('tells %s', (_, change, differences) => {
  const arrangement = { ...best, ...change }
  expect(describeVariation({ arrangement, source: 'made' }, best)).toEqual(differences)
})

test('tells that somebody adjusted it before anything else', () => {
  const arrangement = { ...best, scene: 'cafe' as const }
  const told = describeVariation({ arrangement, source: 'adjusted' }, best)
  expect(told).toEqual(['adjusted', 'scene'])
})

test('tells where the user stands in front and not the star', () => {
  const behind: Arrangement = { ...best, frontToBack: [1, 0] }
  const told = describeVariation({ arrangement: best, source: 'made' }, behind)
  expect(told).toEqual(['userInFront'])
})
