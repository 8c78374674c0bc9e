import { describe, expect, it } from 'vitest'
import { joinHeads } from '../faces/join-heads.ts'
import { faceCover, faceMargin } from '../../testing/face-coverage.ts'
import { pointsInFace } from './face-coverage.ts'
import { emptyAbove } from './empty-above.ts'
import { borderCost } from './layout-cost.ts'
import type { ShownBorders } from './layout-cost.ts'
import { layOut } from './layout.ts'
import { hideCuts } from './hide-cuts.ts'
import { placeArrangement } from './place-arrangement.ts'
import { toUnits } from './layout-subject.ts'
import type { Layout } from './layout.ts'
import type { LayoutSubject } from './layout-subject.ts'
import { randomFrom } from '../../image/random-from.ts'
import { traceSilhouette } from '../matting/silhouette.ts'
import { stretchBody } from '../borders/stretch-body.ts'
import { refusedFormat } from '../make-picture.ts'
import { headAt } from '../../testing/test-heads.ts'
import { paintPlane, paintRgb } from '../../testing/test-images.ts'
import { applySimilarity, similarityScale } from '../../image/warp.ts'

/** Part of the height that is empty above the highest hair. */
function aboveHighest(
  subjects: readonly LayoutSubject[],
  layout: Pick<Layout, 'subjects'>,
  height: number,
): number {
  const tops = subjects.map(({ head, silhouette }, n) => {
    const top = { x: head.centre.x, y: silhouette.top }
    return applySimilarity(layout.subjects[n]!.toPicture, top).y
  })
  return Math.max(0, Math.min(...tops)) / height
}

const width = 1024
const height = 1280

/**
 * Head and shoulders in a photo of 600 pixels' width; the photo ends `below` sizes under the chin.
 * @param hair how far hair reaches aside from the mouth down, in head sizes
 */
function person(size: number, below: number, shoulders = 1.4, hair = 0): LayoutSubject {
  const photo = { width: 600, height: Math.round(200 + size / 2 + below * size) }
  const head = headAt(300, 200, size)
  const rows = Math.floor((photo.height * 150) / photo.width)
  const matte = paintPlane(150, rows, (x, y) => {
    const across = Math.abs((x + 0.5) * 4 - 300) / size
    const down = ((y + 0.5) * 4 - 200) / size
    const inHead = Math.hypot(across / 0.55, down / 0.75) < 1
    const inBody = down > 0.6 && across < shoulders
    const inHair = down > 0.2 && across < hair
    return inHead || inBody || inHair ? 1 : 0
  })
  return { head, heads: [head], silhouette: traceSilhouette(matte, [head], photo) }
}

type PairLayout = ReturnType<typeof layOutPair>

/** The layout of one user and one star, by their roles. */
function layOutPair(
  user: LayoutSubject,
  star: LayoutSubject,
  pictureWidth: number,
  pictureHeight: number,
) {
  const layout = layOut([user, star], pictureWidth, pictureHeight)
  const [first, second] = layout.subjects
  return {
    user: first!.toPicture,
    star: second!.toPicture,
    userStretch: first!.stretch,
    front: layout.frontToBack[0] === 0 ? 'user' : 'star',
    visibleCut: layout.visibleCut,
    headSize: layout.headSize,
  }
}

describe('an arrangement', () => {
  describe('with a cut that shows', () => {
    const subjects = [person(150, 1.2), person(150, 1.2)]
    const stand = (x: number, y: number, size = 0.2) => ({ x, y, size })
    const whole = stand(0.72, 0.72, 0.42)
    const arrange = (stands: readonly { x: number; y: number; size: number }[]) => ({
      subjects: stands.map((each) => ({ ...each, turnDegrees: 0, mirrored: false })),
      frontToBack: [1, 0],
    })
    type Stands = Parameters<typeof arrange>[0]
    const hide = (stands: Stands) => hideCuts(subjects, arrange(stands), width, height)
    const cutOf = (stands: Stands) =>
      placeArrangement(subjects, arrange(stands), width, height).visibleCut

    it.each([
      ['one', [stand(0.28, 0.45), whole]],
      ['both', [stand(0.28, 0.45), stand(0.72, 0.4)]],
      ['one whose head the picture cuts aside', [stand(0.08, 0.45), whole]],
    ])('has %s of them lower, and no lower than that takes', (_who, before) => {
      expect(cutOf(before)).toBeGreaterThan(1)
      const mended = hide(before)!
      expect(cutOf(mended)).toBeLessThanOrEqual(0.08)
      for (const [n, { x, y, size }] of mended.entries()) {
        const was = before[n]!
        expect([x, size]).toEqual([was.x, was.size])
        if (was === whole) expect(y).toBe(was.y)
        else expect(cutOf(mended.with(n, { x, y: y - 0.01, size }))).toBeGreaterThan(0.08)
      }
    })

    it('is left where none shows, and where nothing near hides it', () => {
      expect(hide([stand(0.28, 0.72, 0.42), whole])).toBeUndefined()
      const far = [stand(0.28, 0.1), whole]
      expect(cutOf(far)).toBeGreaterThan(1)
      expect(hide(far)).toBeUndefined()
    })
  })

  it.each([
    ['aside where nobody’s face is hidden by that', 0.22, { x: 0.55, y: 0.7, size: 0.36 }],
    ['not at all where it would hide a face', 0.4, undefined],
  ])('has hair that its photo cuts hidden: %s', (_where, y, expected) => {
    const photo = { width: 600, height: 700 }
    const head = headAt(450, 200, 150)
    const matte = paintPlane(150, 175, (column, row) => {
      const across = (column * 4 - 450) / 150
      const down = (row * 4 - 200) / 150
      return Math.hypot(across / 0.55, down / 0.75) < 1 || (down > 0.2 && across > -1.4) ? 1 : 0
    })
    const front = { head, heads: [head], silhouette: traceSilhouette(matte, [head], photo) }
    const stands = [
      { x: 0.3, y: 0.7, size: 0.36 },
      { x: 0.75, y, size: 0.36 },
    ]
    const subjects = stands.map((each) => ({ ...each, turnDegrees: 0, mirrored: false }))
    const arranged = { subjects, frontToBack: [0, 1] }
    const mended = hideCuts([front, person(150, 2.4)], arranged, width, height)
    expect(mended?.[0]).toEqual(expected && { ...expected, x: expect.closeTo(expected.x) })
  })

  it('draws a body longer that ends just above the lower border, also in a small picture', () => {
    const subjects = [person(120, 2.4), person(90, 0.57)]
    const ending = { x: 0.65, size: 0.2, turnDegrees: 0, mirrored: false }
    const end = 864 * 0.998
    const star = subjects[1]!
    const scale = (ending.size * 864) / star.head.size
    const y = (end - (star.silhouette.photo.height - star.head.centre.y) * scale) / 864
    const arranged = [
      { x: 0.35, y: 0.5, size: 0.3, turnDegrees: 0, mirrored: false },
      { ...ending, y },
    ]
    const stretches = [864, 288].map((rows) => {
      const asked = { subjects: arranged, frontToBack: [0, 1] }
      return placeArrangement(subjects, asked, (rows * 16) / 9, rows).subjects[1]!.stretch
    })
    expect(stretches[0]?.photoEnd).toBeCloseTo(end)
    expect(stretches[1]?.photoEnd).toBeCloseTo(end / 3)
  })
})

describe('a layout', () => {
  const user = person(120, 2.2)
  const star = person(90, 2.4)
  const layout = layOutPair(user, star, width, height)
  const userHead = applySimilarity(layout.user, user.head.centre)
  const starHead = applySimilarity(layout.star, star.head.centre)

  it('gives both heads the same size within 7 %', () => {
    const ratio =
      (similarityScale(layout.user) * user.head.size) /
      (similarityScale(layout.star) * star.head.size)
    expect(Math.abs(ratio - 1)).toBeLessThan(0.07)
  })

  it('puts both heads whole into the picture, side by side', () => {
    for (const [head, subject, map] of [
      [userHead, user, layout.user],
      [starHead, star, layout.star],
    ] as const) {
      const scale = similarityScale(map)
      const top = applySimilarity(map, { x: 300, y: subject.silhouette.top }).y
      expect(top).toBeGreaterThan(0)
      expect(head.x - subject.silhouette.hairLeft * scale).toBeGreaterThan(0)
      expect(head.x + subject.silhouette.hairRight * scale).toBeLessThan(width)
    }
    expect(Math.abs(userHead.x - starHead.x)).toBeGreaterThan(layout.headSize * 0.85)
  })

  it('holds the eyes about level, the front person a little lower', () => {
    const lower = layout.front === 'user' ? userHead.y - starHead.y : starHead.y - userHead.y
    expect(lower).toBeGreaterThan(0)
    expect(lower).toBeLessThan(layout.headSize * 0.25)
  })

  it('holds the eyes in the upper part, as in a selfie, with little air above', () => {
    const eyes = applySimilarity(layout.user, user.head.eyes).y / height
    expect(eyes).toBeGreaterThan(0.3)
    expect(eyes).toBeLessThan(0.45)
    const top = applySimilarity(layout.user, { x: 300, y: user.silhouette.top }).y / height
    expect(top).toBeLessThan(0.22)
  })

  it('holds them there though both photos end soon below the chin', () => {
    const { user: map, visibleCut } = layOutPair(person(150, 1.1), person(150, 1.2), width, height)
    expect(applySimilarity(map, user.head.eyes).y / height).toBeLessThan(0.48)
    expect(visibleCut).toBeLessThan(0.1)
  })

  it('brings both closer together where long hair and short bodies would push them down', () => {
    const [short, longHaired] = [person(160, 0.5), person(150, 0.5, 1.4, 0.9)]
    const close = layOutPair(short, longHaired, width, height)
    const eyes = [
      applySimilarity(close.user, short.head.eyes).y,
      applySimilarity(close.star, longHaired.head.eyes).y,
    ]
    expect((eyes[0]! + eyes[1]!) / 2 / height).toBeLessThan(0.5)
    expect(close.headSize / height).toBeGreaterThan(0.42)
    expect(coverOf(close, short, longHaired)).toBeLessThanOrEqual(0.03)
  })

  it('lets the other look over the shoulder of somebody photographed from very near', () => {
    // A slim one can't hide the near one's photo behind shoulders.
    const [near, slim] = [person(200, 0.13, 1.1), person(120, 2.2, 0.7)]
    const { subjects, visibleCut } = layOut([near, slim], width, height)
    const [nearMap, slimMap] = subjects.map(({ toPicture }) => toPicture)
    expect(visibleCut).toBe(0)
    expect(aboveHighest([near, slim], { subjects }, height)).toBeLessThan(0.2)
    expect(faceMargin(near.head.oval, nearMap!, width, height)).toBeGreaterThanOrEqual(0.02)
    // The very rim of a photo isn't seen either.
    const end = applySimilarity(nearMap!, { x: 300, y: near.silhouette.photo.height }).y
    expect(end).toBeGreaterThanOrEqual(height + 2)
    const lower =
      applySimilarity(nearMap!, near.head.eyes).y - applySimilarity(slimMap!, slim.head.eyes).y
    expect(lower / height).toBeGreaterThan(0.1)
  })

  it('shows no border of a photo', () => {
    expect(layout.visibleCut).toBeLessThan(0.1)
  })

  it('hides shoulders that the photo cuts off at the side', () => {
    const cut = person(150, 1.6, 3)
    expect(layOutPair(user, cut, width, height).visibleCut).toBeLessThan(0.3)
  })

  it('ends above a head where its photo cuts that off, at the forehead too', () => {
    for (const size of [330, 400]) {
      const close = person(size, 1.4, 0.7)
      const cut = close.silhouette.cuts.filter(({ y }) => y <= 0).map(({ x }) => x)
      expect(Math.max(...cut) - Math.min(...cut)).toBeGreaterThan(0.5 * close.head.size)
      const { subjects, visibleCut } = layOut([close, star], width, height)
      expect(visibleCut).toBe(0)
      expect(applySimilarity(subjects[0]!.toPicture, { x: 300, y: 0 }).y).toBeLessThanOrEqual(2)
    }
  })

  it('completes hair that its photo cuts, but no forehead: such a photo that ends at the chin too has no place', () => {
    const [hair, forehead] = [person(290, 0.2), person(400, 0.2)]
    expect(toUnits(hair).cuts.map(({ kind }) => kind)).toContain('cap')
    expect(toUnits(forehead).cuts.map(({ kind }) => kind)).not.toContain('cap')
    expect(layOut([forehead, star], width, height).visibleCut).toBeGreaterThan(0.15)
  })

  it('makes a wide cap only where a border would show else', () => {
    const shown = (cap: number, open = 0): ShownBorders => ({
      open,
      seam: 0,
      mended: [{ leftShoulder: 0, rightShoulder: 0, cap }],
      stretch: [1],
    })
    expect(borderCost(shown(0.85)) - borderCost(shown(0.7))).toBeGreaterThan(2)
    expect(borderCost(shown(1.1))).toBeLessThan(borderCost(shown(0, 0.1)))
  })

  it('lengthens a body whose photo ends too soon', () => {
    const short = person(150, 0.8)
    const { userStretch, visibleCut } = layOutPair(short, star, width, height)
    expect(visibleCut).toBeLessThan(0.5)
    if (userStretch) expect(userStretch.photoEnd).toBeLessThan(height)
  })

  it.each([
    [1152, 1152],
    [1536, 864],
  ])('works at %i × %i too', (otherWidth, otherHeight) => {
    const other = layOutPair(user, star, otherWidth, otherHeight)
    expect(other.visibleCut).toBeLessThan(0.1)
    expect(applySimilarity(other.user, user.head.eyes).y).toBeLessThan(otherHeight * 0.8)
  })

  it('turns a head that lies on its side back, but not upright', () => {
    const tilted = { ...user, head: { ...user.head, roll: 0.7 } }
    const { user: map } = layOutPair(tilted, star, width, height)
    const left = Math.atan2(map.b, map.a) + 0.7
    expect(left).toBeCloseTo(0.22)
  })

  it('leaves a photo that ends below the chin as it was taken, its border along the picture’s', () => {
    const { head, silhouette } = user
    const photo = { ...silhouette.photo, height: Math.round(head.chin.y + 0.3 * head.size) }
    const tilted = { ...user, head: { ...head, roll: 0.7 }, silhouette: { ...silhouette, photo } }
    const { user: map } = layOutPair(tilted, star, width, height)
    expect(map.b).toBeCloseTo(0)
  })
})

/** A photo of random size and framing: tight or wide, shoulders cut or not, long or short hair. */
function randomPerson(random: () => number): LayoutSubject {
  const between = (low: number, high: number): number => low + random() * (high - low)
  const size = between(90, 260)
  const photo = { width: 600, height: Math.round(between(0.9, 1.3) * size * 2 + size) }
  const head = headAt(between(260, 340), size * between(0.75, 1.2), size)
  const hair = between(0.45, 1)
  const shoulders = between(0.8, 2.2)
  const rows = Math.floor((photo.height * 150) / photo.width)
  const matte = paintPlane(150, rows, (x, y) => {
    const across = Math.abs((x + 0.5) * 4 - head.centre.x) / size
    const down = ((y + 0.5) * 4 - head.centre.y) / size
    const inHead = Math.hypot(across / hair, down / 0.85) < 1
    return inHead || (down > 0.6 && across < shoulders) ? 1 : 0
  })
  return { head, heads: [head], silhouette: traceSilhouette(matte, [head], photo) }
}

describe('whatever both photos are like', () => {
  const random = randomFrom(7)
  const layouts = Array.from({ length: 60 }, (_, n) => {
    const people = { user: randomPerson(random), star: randomPerson(random) }
    const [pictureWidth, pictureHeight] = (
      [
        [1024, 1280],
        [1152, 1152],
        [1536, 864],
      ] as const
    )[n % 3]!
    const layout = layOutPair(people.user, people.star, pictureWidth, pictureHeight)
    return { ...people, layout, pictureWidth, pictureHeight }
  })

  it('both faces lie whole in the picture, at least 2 % from its border', () => {
    for (const { user, star, layout, pictureWidth, pictureHeight } of layouts) {
      const margins = [
        faceMargin(user.head.oval, layout.user, pictureWidth, pictureHeight),
        faceMargin(star.head.oval, layout.star, pictureWidth, pictureHeight),
      ]
      expect(Math.min(...margins)).toBeGreaterThanOrEqual(0.02)
    }
  })

  it('at most 3 % of a face lies behind the other person', () => {
    for (const { user, star, layout } of layouts) {
      expect(coverOf(layout, user, star)).toBeLessThanOrEqual(0.03)
    }
  })

  it('no more than a third of the picture is empty above the hair', () => {
    const empty = layouts.filter(({ user, star, layout, pictureHeight }) => {
      const top = (subject: LayoutSubject, map: PairLayout['user']): number =>
        applySimilarity(map, { x: 0, y: subject.silhouette.top }).y
      return Math.min(top(user, layout.user), top(star, layout.star)) > pictureHeight / 3
    })
    expect(empty.length / layouts.length).toBeLessThanOrEqual(0.05)
  })
})

function coverOf(layout: PairLayout, user: LayoutSubject, star: LayoutSubject): number {
  return layout.front === 'user'
    ? faceCover(pointsInFace(star.head), layout.star, user, layout.user)
    : faceCover(pointsInFace(user.head), layout.user, star, layout.star)
}

describe('an arm held out before the face beside', () => {
  it('puts the other person in front or on the other side', () => {
    const plain = person(120, 2.2)
    const { mask, ...silhouette } = person(120, 2.2).silhouette
    const data = mask.data.slice()
    // A phone in a hand at the right, as high as the face.
    for (let y = 30; y < 70; y++) for (let x = 100; x < 125; x++) data[y * mask.width + x] = 255
    const armed = { ...plain, silhouette: { ...silhouette, mask: { ...mask, data } } }
    expect(coverOf(layOutPair(armed, plain, width, height), armed, plain)).toBeLessThanOrEqual(0.03)
    expect(coverOf(layOutPair(plain, armed, width, height), plain, armed)).toBeLessThanOrEqual(0.03)
  })
})

describe('a lengthened body', () => {
  it('reaches the lower border and leaves the rows above the line alone', () => {
    const image = paintRgb(4, 100, (_, y) => (y < 60 ? [y, y, y] : [0, 0, 0]))
    const alpha = {
      data: Uint8Array.from({ length: 400 }, (_, i) => (i < 240 ? 255 : 0)),
      width: 4,
      height: 100,
    }
    stretchBody({ image, alpha }, { fromRow: 30, photoEnd: 60 })
    expect(image.data[20 * 12]).toBe(20)
    expect(image.data[99 * 12]).toBeGreaterThan(52)
    expect(alpha.data.every((value) => value === 255)).toBe(true)
  })
})

/** Two people of one photo who stand side by side, the right one lower by `lower` head sizes. */
function couple(size: number, lower: number): LayoutSubject {
  const photo = { width: 800, height: 900 }
  const heads = [headAt(300, 260, size), headAt(300 + size * 1.3, 260 + lower * size, size * 1.08)]
  const matte = paintPlane(160, 180, (x, y) => {
    const isSomebody = heads.some(({ centre }) => {
      const across = Math.abs((x + 0.5) * 5 - centre.x) / size
      const down = ((y + 0.5) * 5 - centre.y) / size
      return Math.hypot(across / 0.55, down / 0.75) < 1 || (down > 0.6 && across < 0.9)
    })
    return isSomebody ? 1 : 0
  })
  return { head: joinHeads(heads), heads, silhouette: traceSilhouette(matte, heads, photo) }
}

describe('a layout of three or four heads', () => {
  const companies: [string, LayoutSubject[]][] = [
    ['a user with two stars', [person(120, 2.2), person(100, 2.4), person(140, 2)]],
    ['two friends with a star', [couple(110, 0.2), person(120, 2.2)]],
    ['two friends with two stars', [couple(110, 0.2), person(120, 2.2), person(90, 2.4)]],
    ['two stars with long hair', [person(120, 1.6, 1.4, 0.9), person(130, 1.5), person(110, 1.7)]],
  ]
  const sizes = [
    [1024, 1280],
    [1152, 1152],
    [1536, 864],
  ] as const
  const layouts = companies.flatMap(([name, subjects]) =>
    sizes.map(([pictureWidth, pictureHeight]) => ({
      name: `${name}, ${pictureWidth} × ${pictureHeight}`,
      subjects,
      layout: layOut(subjects, pictureWidth, pictureHeight),
      pictureWidth,
      pictureHeight,
    })),
  )

  it.each(layouts)('keeps all faces of $name in the picture and uncovered', (company) => {
    const { subjects, layout, pictureWidth, pictureHeight } = company
    for (const [n, { heads }] of subjects.entries()) {
      const { toPicture } = layout.subjects[n]!
      const before = layout.frontToBack.slice(0, layout.frontToBack.indexOf(n))
      for (const head of heads) {
        expect(faceMargin(head.oval, toPicture, pictureWidth, pictureHeight)).toBeGreaterThan(0.02)
        for (const other of before) {
          const front = layout.subjects[other]!.toPicture
          const cover = faceCover(pointsInFace(head), toPicture, subjects[other]!, front)
          expect(cover).toBeLessThanOrEqual(0.03)
        }
      }
    }
  })

  it.each(layouts)('gives all of $name heads of one size within 7 %', ({ subjects, layout }) => {
    const scaled = subjects.map(
      ({ head }, n) => similarityScale(layout.subjects[n]!.toPicture) * head.size,
    )
    expect(Math.max(...scaled) / Math.min(...scaled)).toBeLessThan(1.07)
  })

  it.each(layouts)(
    'lets the eyes of who stands behind lie higher, or hardly lower: $name',
    (company) => {
      const { subjects, layout } = company
      const eyes = layout.frontToBack.map(
        (n) => applySimilarity(layout.subjects[n]!.toPicture, subjects[n]!.head.eyes).y,
      )
      const lower = eyes.slice(1).map((y, n) => (y - eyes[n]!) / layout.headSize)
      expect(Math.max(...lower)).toBeLessThan(0.1)
    },
  )

  it('keeps friends together as they stood', () => {
    const friends = couple(110, 0.2)
    const { subjects } = layOut([friends, person(120, 2.2)], width, height)
    const [left, right] = friends.heads.map(({ centre }) =>
      applySimilarity(subjects[0]!.toPicture, centre),
    )
    const scale = similarityScale(subjects[0]!.toPicture)
    expect((right!.x - left!.x) / scale).toBeCloseTo(143, 5)
    expect((right!.y - left!.y) / scale).toBeCloseTo(22, 5)
  })
})

describe('a layout with two stars', () => {
  const plain = (): LayoutSubject => person(110, 2)
  /** By subject: how much higher its eyes are than those of who stands in front, and its size, in front heads. */
  const stands = (subjects: LayoutSubject[], pictureWidth: number, pictureHeight: number) => {
    const layout = layOut(subjects, pictureWidth, pictureHeight)
    const { headSize, frontToBack } = layout
    const eyes = layout.subjects.map(
      ({ toPicture }, n) => applySimilarity(toPicture, subjects[n]!.head.eyes).y,
    )
    const [user, ...stars] = eyes as [number, number, number]
    return {
      frontToBack,
      userLower: (user - (stars[0] + stars[1]) / 2) / headSize,
      higher: eyes.map((y) => (eyes[frontToBack[0]!]! - y) / headSize),
      sizes: layout.subjects.map(
        ({ toPicture }, n) => (similarityScale(toPicture) * subjects[n]!.head.size) / headSize,
      ),
    }
  }

  it('makes heads smaller by a tenth of what they stand higher', () => {
    const close = [person(180, 0.15, 1.1), person(170, 0.25, 1.1), plain()]
    const { higher, sizes } = stands(close, width, height)
    expect(Math.max(...higher)).toBeGreaterThan(0.5)
    for (const [n, size] of sizes.entries()) expect(size).toBeCloseTo(1 - 0.1 * higher[n]!, 2)
  })

  it('lets a user who is cropped close stand about as high as the stars', () => {
    const close = [person(180, 0.15, 1.1), person(120, 2.2), plain()]
    expect(stands(close, 1536, 864).userLower).toBeLessThan(0.15)
  })

  it('lets nobody without shoulders look over the heads of others', () => {
    const close = [person(180, 0.4, 0.4), person(150, 0.8), person(150, 0.8)]
    expect(stands(close, width, height).userLower).toBeGreaterThan(-0.35)
  })

  it('has the user behind both only where a border would show else', () => {
    const cut = [person(150, 1.6, 3), person(120, 2.2), plain()]
    expect(stands(cut, width, height).frontToBack[2]).not.toBe(0)
  })
})

describe('the room above a group', () => {
  it('is that above the heads in the mean, however high one of them stands', () => {
    const [sitting, standing] = [headAt(100, 500, 80), headAt(300, 100, 80)]
    const subjects = [{ heads: [sitting, sitting] }, { heads: [standing] }]
    const toPicture = { a: 1, b: 0, tx: 0, ty: 40 }
    const layout = { subjects: subjects.map(() => ({ toPicture })) } as unknown as Layout
    expect(emptyAbove(subjects, layout, 1000)).toBeCloseTo((500 + 500 + 100) / 3000)
  })

  const group = (below: number, apart = 200): LayoutSubject => {
    const heads = [-1, 0, 1].map((n) => headAt(350 + n * apart, 200, 80))
    const photo = { width: 700, height: Math.round(240 + below * 80) }
    const matte = paintPlane(175, Math.floor(photo.height / 4), (x, y) =>
      heads.some(({ centre }) => {
        const across = Math.abs((x + 0.5) * 4 - centre.x) / 80
        const down = ((y + 0.5) * 4 - 200) / 80
        return Math.hypot(across / 0.55, down / 0.75) < 1 || (down > 0.6 && across < 1) ? 1 : 0
      })
        ? 1
        : 0,
    )
    return { head: joinHeads(heads), heads, silhouette: traceSilhouette(matte, heads, photo) }
  }
  const roomIn = (below: number, pictureWidth: number, pictureHeight: number): number => {
    const subjects = [group(below), person(80, below)]
    return aboveHighest(subjects, layOut(subjects, pictureWidth, pictureHeight), pictureHeight)
  }

  it('is large where many short bodies stand side by side in a narrow picture, and small in a wide one', () => {
    expect(roomIn(1, 1024, 1280)).toBeGreaterThan(0.45)
    expect(roomIn(1, 1344, 756)).toBeLessThan(0.35)
  })

  it('rules out a format that would be half empty, in which a wider one would do', () => {
    const subjects = [group(1), person(80, 1)]
    const refusal = refusedFormat(subjects, { aspect: '4:5', resolution: 'standard' })
    expect(refusal).toEqual({ code: 'people_too_far_apart', formats: ['16:9'] })
    const near = [group(1, 105), person(80, 1.5)]
    expect(refusedFormat(near, { aspect: '4:5', resolution: 'standard' })).toBeUndefined()
  })

  it('is small where four of whom two are friends stand in rows', () => {
    const subjects = [couple(150, 0), person(150, 0.7), person(140, 0.7)]
    const layout = layOut(subjects, width, height)
    expect(aboveHighest(subjects, layout, height)).toBeLessThan(0.2)
  })

  it('is small where one of them can look over the shoulders of the others, with no face covered', () => {
    const subjects = [group(1, 105), person(80, 1.5)]
    const layout = layOut(subjects, width, height)
    expect(aboveHighest(subjects, layout, height)).toBeLessThan(0.3)
    expect(layout.frontToBack).toEqual([0, 1])
    const [friends, star] = layout.subjects.map(({ toPicture }, n) =>
      applySimilarity(toPicture, subjects[n]!.head.eyes),
    )
    expect(friends!.y - star!.y).toBeGreaterThan(0.5 * layout.headSize)
    expect(layout.visibleCut).toBeLessThan(0.1)
  })
})
