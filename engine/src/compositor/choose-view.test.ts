import { expect, test } from 'vitest'
import { testReading } from '../testing/test-reading.ts'
import { chooseView } from './choose-view.ts'

const picture = { width: 400, height: 500 }
const still = { a: 1, b: 0, tx: 0, ty: 0 }
const toPicture = [still, { ...still, ty: 100 }]

function viewOf(scene: 'own' | 'forest', { hasOwn = true, sideRatio = 0 } = {}) {
  const user = { ...testReading, light: { ...testReading.light, sideRatio } }
  return chooseView({ scene, seed: 3, hasOwn }, [user, testReading], toPicture, picture)
}

test('the horizon lies above the eyes of all, as a selfie is taken from above', () => {
  const eyes = (176 + 276) / 2 / picture.height
  const view = viewOf('forest')
  if (view === 'own') throw new Error('not a scene')
  expect(view.horizon).toBeLessThan(eyes - 0.1)
  expect(view.horizon).toBeGreaterThan(0.2)
})

test('a scene is lit from the side from which the user is', () => {
  expect(viewOf('forest', { sideRatio: -0.5 })).toMatchObject({
    scene: 'forest',
    seed: 3,
    side: -1,
  })
  expect(viewOf('forest', { sideRatio: 0.5 })).toMatchObject({ side: 1 })
})

test('who has no background of their own stands in the studio', () => {
  expect(viewOf('own')).toBe('own')
  expect(viewOf('own', { hasOwn: false })).toMatchObject({ scene: 'studio' })
})
