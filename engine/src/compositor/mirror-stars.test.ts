import { expect, test } from 'vitest'
import { mirrorStars } from './mirror-stars.ts'
import { mirrorLight } from './relight/spherical-harmonics.ts'
import type { ReadResult } from './thread-messages.ts'
import { testReading } from '../testing/test-reading.ts'

/** Somebody lit from the left. */
const fromLeft: ReadResult = {
  ...testReading,
  light: { ...testReading.light, sideRatio: -1 },
  faceLight: { ...testReading.faceLight, coefficients: [0, -1, 0, 0, 0, 0, 0, 0, 0] },
}
const fromRight: ReadResult = {
  ...fromLeft,
  faceLight: { ...fromLeft.faceLight, coefficients: mirrorLight(fromLeft.faceLight.coefficients) },
}

const photo = {
  bytes: new Uint8Array(),
  mediaType: 'image/jpeg',
  widthPx: 400,
  heightPx: 400,
  hasMatte: false,
} as const

/** A star's photo with writing, mirrored only if that is allowed, and how it was asked. */
function photoWithWriting() {
  const asked: boolean[] = []
  const mirror = async (withWriting: boolean): Promise<ReadResult | undefined> => {
    asked.push(withWriting)
    return withWriting ? fromLeft : undefined
  }
  return { asked, mirror }
}

async function starBesideUser(
  star: ReadResult,
  session: ReturnType<typeof photoWithWriting>,
  mayMirror: boolean | undefined,
): Promise<ReadResult | undefined> {
  const people = [fromLeft, star]
  const mirrored = await mirrorStars([session, session], people, { stars: [{ photo, mayMirror }] })
  return mirrored[1]
}

test('a star with writing is mirrored towards the user’s light only where that is allowed', async () => {
  const [unset, always, never] = [photoWithWriting(), photoWithWriting(), photoWithWriting()]
  expect(await starBesideUser(fromRight, unset, undefined)).toBe(fromRight)
  expect(await starBesideUser(fromRight, always, true)).toBe(fromLeft)
  expect(await starBesideUser(fromRight, never, false)).toBe(fromRight)
  expect([unset.asked, always.asked, never.asked]).toEqual([[false], [true], []])
})

test('a star who has the user’s light already stays as they are', async () => {
  const session = photoWithWriting()
  await starBesideUser(fromLeft, session, true)
  expect(session.asked).toEqual([])
})
