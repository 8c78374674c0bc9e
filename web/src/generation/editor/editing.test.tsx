import { customCelebrity } from '@starside/contract/limits.ts'
import { pictureLooks } from '@starside/contract/arrangement-limits.ts'
import { selfieAspects } from '@starside/contract/scenes.ts'
import type { Arrangement } from '@starside/contract/arrangement.ts'
import { arrangementLimits } from '@starside/contract/arrangement-limits.ts'
import type { GenerationItem } from '@starside/contract/generation.ts'
import type { PreviewAnswer } from '@starside/contract/variations.ts'
import { act, cleanup, fireEvent, screen, within } from '@testing-library/react'
import { useEffect, useState } from 'react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { show } from '../../auth/testing/show.tsx'
import { outline } from '../../ui/testing/outline.ts'
import {
  answerRequests,
  happened,
  noted,
  pressEach,
  settle,
  stopTime,
} from '../../ui/testing/press-each.ts'
import { drawWithAlpha } from '../testing/draw-with-alpha.ts'
import { testArrangement, testNeighbour, testUser } from '../testing/test-arrangement.ts'
import { testSelfie } from '../testing/test-selfie.ts'
import {
  changeDepth,
  changeSubject,
  changeWhole,
  headsIn,
  inFormat,
  neighboursOf,
  subjectAt,
  shapeOf,
  swapSides,
} from './adjust-arrangement.ts'
import { isFull, paintStroke, usualBrush } from './brush.ts'
import { drawParts, toPerson, retouched, touches } from './draw-parts.ts'
import type { DrawnPerson } from './draw-parts.ts'
import { EditorControls, type EditorTab } from './editor-controls.tsx'
import { EditorHeader } from './editor-header.tsx'
import { useBrush } from './use-brush.ts'
import { useEditing, useUndoKeys } from './use-editing.ts'
import type { Preview } from './use-preview.ts'
import { VariationEditor } from './variation-editor.tsx'

const nowMs = Date.parse('2026-11-22T12:00:00Z')
beforeEach(() => {
  stopTime(nowMs)
  happened.length = 0
  answerRequests()
})
afterEach(() => {
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
  vi.useRealTimers()
})

/** A canvas whose context notes what is drawn, with numbers of three places. */
function notingContext(name: string) {
  const canvas = Object.assign(document.createElement('canvas'), { width: 400, height: 500 })
  const text = (value: unknown): string =>
    typeof value === 'number'
      ? String(Math.round(value * 1000) / 1000)
      : value instanceof DOMMatrix
        ? [value.a, value.b, value.c, value.d, value.e, value.f].map(text).join(' ')
        : value instanceof HTMLElement
          ? value.dataset['name'] || value.tagName
          : String(value)
  canvas.dataset['name'] = name
  const target: Record<string, unknown> = { canvas }
  const context = new Proxy(target, {
    get: (_, key: string) =>
      key in target
        ? target[key]
        : (...values: unknown[]) => happened.push(`${name}.${key}(${values.map(text).join(', ')})`),
    set: (_, key: string, value: unknown) => {
      happened.push(`${name}.${key} = ${text(value)}`)
      return true
    },
  })
  return context as unknown as CanvasRenderingContext2D
}

const image = Object.assign(new Image(), { alt: '' })
image.dataset['name'] = 'image'
Object.defineProperties(image, { naturalWidth: { value: 800 }, naturalHeight: { value: 1000 } })
const person: DrawnPerson = {
  image,
  widthPx: 300,
  heightPx: 400,
  heads: [{ x: 100, y: 80, size: 50 }],
  box: { left: -0.8, top: -1.2, right: 0.9, bottom: 0.6 },
  uprightDegrees: 5,
  foot: null,
}
const foot = { left: 20, right: 220, y: 200, middleX: 120, middleY: 110, stretchBelow: 20 }

describe('people are drawn where the server will draw them', () => {
  it.each([
    ['as they are', person, testUser],
    ['mirrored and turned', person, { ...testUser, mirrored: true, turnDegrees: 30 }],
    ['with a longer body', { ...person, foot }, testUser],
    ['whose body reaches the border', { ...person, foot: { ...foot, y: 360 } }, testUser],
    ['whose body ends aside', { ...person, foot: { ...foot, left: -900, right: 900 } }, testUser],
    [
      'of whom too little can be stretched',
      { ...person, foot: { ...foot, middleY: 199 } },
      testUser,
    ],
  ])('%s', (_how, drawn, subject) => {
    const parts = { background: image, markBox: null, people: [drawn, person] }
    drawParts(notingContext('picture'), notingContext('scratch'), parts, {
      subjects: [subject, testNeighbour],
      frontToBack: [1, 0],
    })
    expect(happened).toMatchSnapshot()
    const shape = { width: 4, height: 5 }
    const points = [0, 0.3, 0.6, 0.99].map((y) => toPerson(drawn, subject, { x: 0.4, y }, shape))
    expect(points.map(({ x, y }) => `${x.toFixed(3)} ${y.toFixed(3)}`)).toMatchSnapshot()
  })

  it('nobody whose parts have not come', () => {
    drawParts(
      notingContext('picture'),
      notingContext('scratch'),
      { background: image, markBox: null, people: [] },
      testArrangement,
    )
    expect(happened).toEqual([
      'picture.clearRect(0, 0, 400, 500)',
      'picture.drawImage(image, 0, 0, 400, 500)',
      'picture.save()',
      'picture.restore()',
    ])
  })

  it('a place of another shape cut, and not squeezed', () => {
    const wide = Object.assign(new Image(), { alt: 'wide' })
    wide.dataset['name'] = 'wide'
    Object.defineProperties(wide, { naturalWidth: { value: 160 }, naturalHeight: { value: 90 } })
    const parts = { background: wide, markBox: null, people: [] }
    drawParts(notingContext('picture'), notingContext('scratch'), parts, testArrangement)
    expect(happened[1]).toBe('picture.drawImage(wide, -244.444, 0, 888.889, 500)')
  })

  it('nobody before the brand mark, which stays in the corner', () => {
    const markBox = { x: 0.75, y: 0.9, width: 0.2, height: 0.06 }
    drawParts(
      notingContext('picture'),
      notingContext('scratch'),
      { background: image, markBox, people: [] },
      testArrangement,
    )
    expect(happened.slice(-4)).toEqual([
      'picture.rect(0, 0, 400, 500)',
      'picture.rect(300, 450, 80, 30)',
      'picture.clip(evenodd)',
      'picture.restore()',
    ])
  })
})

/** Two who stay together: the second stands to the right, two heads of the first from there, and is smaller. */
const pair: DrawnPerson = {
  ...person,
  heads: [...person.heads, { x: 200, y: 90, size: 40 }],
  box: { left: -0.8, top: -1.2, right: 2.6, bottom: 0.7 },
  uprightDegrees: 0,
}

it('strokes are drawn softly on a person, once for the same strokes', () => {
  let made = 0
  vi.spyOn(HTMLCanvasElement.prototype, 'getContext').mockImplementation((() => {
    made += 1
    return notingContext(made % 2 === 1 ? 'person' : 'mask')
  }) as never)
  const points = [
    { x: 0, y: 0 },
    { x: 0.2, y: 0.1 },
  ]
  const strokes = [
    { kind: 'erase', size: 0.2, softness: 0.5, points },
    { kind: 'restore', size: 0.1, softness: 0, points: [{ x: 0, y: 0 }] },
  ] as const
  expect(retouched(person)).toBe(image)
  const canvas = retouched(person, strokes as never)
  expect(happened).toMatchSnapshot()
  happened.length = 0
  expect(retouched(person, strokes as never)).toBe(canvas)
  expect(happened).toEqual([])
})

it('no canvas is made for a stroke that grows', () => {
  drawWithAlpha(255)
  const painted = { ...person, image: new Image() }
  const grown = (length: number) => {
    const points = Array.from({ length }, (_, n) => ({ x: n / 10, y: 0 }))
    return { kind: 'restore', size: 0.2, softness: 0.5, points } as const
  }
  const made = vi.spyOn(document, 'createElement')
  expect(touches(painted, grown(1) as never)).toBe(true)
  const canvas = retouched(painted, [grown(1)] as never)
  made.mockClear()
  for (const length of [2, 3, 4]) {
    touches(painted, grown(length))
    expect(retouched(painted, [grown(length)] as never)).toBe(canvas)
  }
  expect(made).not.toHaveBeenCalled()
})

describe('an arrangement stays within what can be made', () => {
  it.each([
    [{ x: -0.01 }, { x: 0 }],
    [{ x: 1.01 }, { x: 1 }],
    [{ y: -1 }, { y: 0 }],
    [{ y: 2 }, { y: 1 }],
    [
      { x: 0.4, y: 0.6 },
      { x: 0.4, y: 0.6 },
    ],
    [{ mirrored: true }, { mirrored: true }],
  ])('%j becomes %j', (change, expected) => {
    const changed = changeSubject(testArrangement, 1, change)
    expect(changed.subjects).toEqual([testUser, { ...testNeighbour, ...expected }])
  })

  it.each([
    ['size', -1],
    ['size', 9],
    ['turnDegrees', -999],
    ['turnDegrees', 999],
  ] as const)('%s of %d', (measure, value) => {
    expect(changeSubject(testArrangement, 0, { [measure]: value }).subjects[0]).toMatchSnapshot()
  })

  it('swaps sides, brings to the front and back behind, and finds who is nearest in sizes of their head', () => {
    const swapped = swapSides(testArrangement, [], [0, 1])
    expect(swapped.subjects.map(({ x }) => x)).toEqual([0.65, 0.35])
    const three = { ...testArrangement, frontToBack: [2, 0, 1] }
    expect(changeDepth(three, 1).frontToBack).toEqual([1, 2, 0])
    expect(changeDepth(three, 2).frontToBack).toEqual([0, 1, 2])
    const uneven = { ...testArrangement, subjects: [testUser, { ...testNeighbour, size: 0.1 }] }
    const nearest = (arrangement: Arrangement, x: number) =>
      subjectAt(arrangement, [], { x, y: 0.4 }).index
    expect(nearest(testArrangement, 0.51)).toBe(1)
    expect(nearest(uneven, 0.51)).toBe(0)
    expect(nearest(testArrangement, 0.49)).toBe(0)
  })
})

describe('who comes from one photo', () => {
  const people = [pair, person]
  const together = changeSubject(testArrangement, 0, { x: 0.2, size: 0.16 })
  const headsNow = (arrangement: Arrangement) =>
    headsIn(arrangement, people)[0]!.map(({ x, y, size }) =>
      [x, y, size].map((value) => Number(value.toFixed(3))),
    )
  const [first, second] = [
    [0.2, 0.4, 0.16],
    [0.6, 0.432, 0.128],
  ] as const
  const middle = (arrangement: Arrangement, side: 0 | 1) => {
    const [one, other] = headsNow(arrangement)
    return (one![side]! + other![side]!) / 2
  }
  const flipped = (from: Arrangement, index = 0, all = people) =>
    changeWhole(from, all, index, { mirrored: !from.subjects[index]!.mirrored })

  it.each([
    ['flipped', { mirrored: true }],
    ['sized', { size: 0.24 }],
    ['turned', { turnDegrees: 9 }],
  ])('is %s about the middle of all heads', (_how, change) => {
    for (const turnDegrees of [0, 12, -15]) {
      const turned = changeSubject(together, 0, { turnDegrees })
      const changed = changeWhole(turned, people, 0, change)
      expect(changed.subjects[0]).toMatchObject(change)
      for (const side of [0, 1] as const) {
        expect(middle(changed, side)).toBeCloseTo(middle(turned, side), 2)
      }
      const back = changeWhole(changed, people, 0, { mirrored: false, size: 0.16, turnDegrees })
      expect(headsNow(back), 'and back').toEqual(headsNow(turned))
    }
  })

  it('is moved as far as it is led, also while it is sized', () => {
    expect(changeWhole(together, people, 0, { x: 0.3 }).subjects[0]!.x).toBe(0.3)
    const led = changeWhole(together, people, 0, { x: 0.25, size: 0.2 })
    expect(middle(led, 0)).toBeCloseTo(middle(together, 0) + 0.05, 2)
  })

  it('stands on the other side of each other once flipped, and a single person where they stood', () => {
    expect(headsNow(together)).toEqual([first, second])
    expect(headsNow(flipped(together)).map(([x]) => x)).toEqual([0.6, 0.2])
    expect(flipped(together, 1).subjects[1]).toEqual({
      ...testNeighbour,
      x: expect.closeTo(testNeighbour.x),
      mirrored: true,
    })
    expect(flipped(together, 0, []).subjects[0], 'before their photo has come').toEqual({
      ...together.subjects[0],
      mirrored: true,
    })
  })

  it('is taken at any head', () => {
    const at = (x: number, y: number) => subjectAt(together, people, { x, y })
    expect(at(0.6, 0.432)).toEqual({ index: 0, away: expect.closeTo(0) })
    expect(at(0.66, 0.39).index).toBe(1)
    expect(subjectAt(together, [], { x: 0.6, y: 0.432 }).index).toBe(1)
  })

  it('changes sides as a whole', () => {
    const swapped = swapSides(together, people, [0, 1])
    expect(headsNow(swapped).map(([x]) => x)).toEqual([0.4, 0.8])
    expect(swapped.subjects[1]!.x).toBeCloseTo(0.35)
  })

  it('is whole in a narrower format', () => {
    const wide: Arrangement = { ...together, aspect: '16:9' }
    const narrow = inFormat(wide, '9:16', people)
    const { width, height } = shapeOf('9:16')
    for (const { x, size } of headsIn(narrow, people).flat()) {
      expect(Math.abs(x - 0.5) + (size * height) / width / 2).toBeLessThanOrEqual(0.5001)
    }
  })

  it('of three subjects the chosen one and its neighbour change places, and nobody else', () => {
    const third = { ...testUser, x: 0.9 }
    const three = { ...together, subjects: [...together.subjects, third] }
    expect([0, 1, 2].map((index) => neighboursOf(three, index))).toEqual([
      [0, 1],
      [1, 2],
      [1, 2],
    ])
    const swapped = swapSides(three, people, [0, 1])
    // The middle of both heads stood at 0.4.
    expect(swapped.subjects.map(({ x }) => Number(x.toFixed(3)))).toEqual([0.45, 0.4, 0.9])
  })
})

describe('in another format', () => {
  const ratioOf = ({ aspect }: Arrangement): number => {
    const { width, height } = shapeOf(aspect)
    return width / height
  }
  /** How far the second head stands from the first, in sizes of it. */
  const gapOf = (arrangement: Arrangement): number => {
    const [one, other] = arrangement.subjects
    return ((other!.x - one!.x) * ratioOf(arrangement)) / one!.size
  }
  it.each(selfieAspects)(
    '%s, people stand as near to each other, whole, and back again',
    (aspect) => {
      const turned = inFormat(testArrangement, aspect, [])
      expect(turned.aspect).toBe(aspect)
      expect(gapOf(turned)).toBeCloseTo(gapOf(testArrangement))
      for (const { x, size } of turned.subjects) {
        const reach = Math.abs(x - 0.5) + size / (2 * ratioOf(turned))
        expect(reach).toBeLessThanOrEqual(0.5001)
      }
      const back = inFormat(turned, '4:5', [], testArrangement)
      expect(back, 'however often it is turned').toEqual(testArrangement)
    },
  )

  it('who was moved by hand stays where they were put beside the others', () => {
    const moved = changeSubject(inFormat(testArrangement, '9:16', []), 0, { x: 0.35 })
    const back = inFormat(moved, '4:5', [], testArrangement)
    expect(gapOf(back)).toBeCloseTo(gapOf(moved))
    expect(back.subjects).not.toEqual(testArrangement.subjects)
  })
})

describe('a stroke', () => {
  it.each([
    ['a point', [{ x: 0.12345, y: 0 }], ['0.123 0']],
    [
      'points too near',
      [
        { x: 0, y: 0 },
        { x: 0.033, y: 0 },
      ],
      ['0 0'],
    ],
    [
      'points far enough',
      [
        { x: 0, y: 0 },
        { x: 0.034, y: 0 },
      ],
      ['0 0', '0.034 0'],
    ],
  ])('of %s', (_of, path, expected) => {
    const stroke = paintStroke(testArrangement, 0, usualBrush, path).subjects[0]?.retouch?.[0]
    expect(stroke?.points.map(({ x, y }) => `${x} ${y}`)).toEqual(expected)
    expect(stroke).toMatchObject(usualBrush)
  })

  it('that jumps gets points between, and leaves out what lies too far', () => {
    const path = [
      { x: 0, y: 0 },
      { x: 1, y: 2 },
      { x: 99, y: 0 },
    ]
    const painted = paintStroke(testArrangement, 0, usualBrush, path)
    expect(painted.subjects[0]?.retouch?.[0]?.points).toMatchSnapshot()
    expect(paintStroke(testArrangement, 0, usualBrush, [])).toBe(testArrangement)
    expect([isFull(painted, 0), isFull(painted, 1), isFull(painted, 7)]).toEqual([
      false,
      false,
      false,
    ])
  })
})

const version = (variationId: string, arrangement: Arrangement) => ({
  variationId,
  source: 'made',
  look: arrangement.look,
  isChosen: variationId === 'b',
  isRendered: true,
  imageUrl: '/b.jpg',
  thumbnailUrl: `/${variationId}-small.jpg`,
  downloadUrl: null,
  widthPx: 1024,
  heightPx: 1280,
  arrangement,
})
const item = {
  ...testSelfie,
  adjustableUntil: '2026-11-22T12:30:00Z',
  celebrities: ['Ada Vale'],
  variations: [version('a', { ...testArrangement, scene: 'cafe' }), version('b', testArrangement)],
} as unknown as GenerationItem

const preview = {
  arrangement: testArrangement,
  background: image,
  people: [],
  image: 'data:image/jpeg;base64,picture',
} as unknown as Preview

async function open(part: React.ReactNode) {
  cleanup()
  return show(part)
}

describe('the controls', () => {
  const controls = (tab: EditorTab, arrangement: Arrangement = testArrangement) => (
    <EditorControls
      arrangement={arrangement}
      initial={{ ...testArrangement, warmth: 0.5 }}
      tab={tab}
      names={['You', 'Ada Vale']}
      selected={1}
      item={item}
      preview={preview}
      brush={usualBrush}
      onBrush={noted('brush')}
      onTab={noted('tab')}
      onSelect={noted('select')}
      onChange={noted('change')}
      onSettle={noted('settle')}
    />
  )
  const tabs: EditorTab[] = ['place', 'scene', 'light', 'look', 'brush']
  it.each(tabs)('of %s: what they show and what each changes', async (tab) => {
    await open(controls(tab))
    expect(outline()).toMatchSnapshot()
    const isOfTab = (control: Element): boolean =>
      control.getAttribute('role') !== 'tab' &&
      (!(control instanceof HTMLInputElement) ||
        control.type !== 'radio' ||
        ['cafe', '1:1', 'muted', 'on'].includes(control.value))
    expect(await pressEach(() => open(controls(tab)), isOfTab)).toMatchSnapshot()
  })

  it.each(pictureLooks)('of the look %s', async (look) => {
    await open(controls('look', { ...testArrangement, look, caption: 'Us' }))
    const field = screen.queryByRole('textbox')
    expect(field !== null).toBe(look === 'instant')
    if (!field) return
    expect(outline().slice(-8)).toMatchSnapshot()
    fireEvent.change(field, { target: { value: 'Us 😀 two' } })
    fireEvent.blur(field)
    expect(happened.at(-2)).toContain('"caption":"Us  two"')
    expect(happened.at(-2)).toMatch(/, "caption"\)$/)
    expect(happened.at(-1)).toBe('settle(…)')
  })

  it.each(['Delete', 'Backspace', 'a'])('a slider and the key %s', async (key) => {
    await open(controls('light'))
    const slider = screen.getByRole('slider', { name: 'Warmth' })
    fireEvent.keyDown(slider, { key })
    expect(happened.some((line) => line.includes('"warmth":0.5'))).toBe(key !== 'a')
    happened.length = 0
    fireEvent.pointerUp(slider)
    fireEvent.blur(slider)
    expect(happened).toHaveLength(2)
    fireEvent.doubleClick(slider)
    expect(happened.at(-1)).toContain('"warmth":0.5')
  })

  it.each(['brightness', 'contrast'] as const)(
    '%s of a picture that was made without it is none, to which a double press leads back',
    async (measure) => {
      await open(controls('light', { ...testArrangement, [measure]: 0.4 }))
      const slider = () =>
        screen.getByRole<HTMLInputElement>('slider', { name: new RegExp(measure, 'i') })
      expect(slider().value).toBe('0.4')
      fireEvent.doubleClick(slider())
      expect(happened.at(-1)).toContain(`"${measure}":0}`)
      await open(controls('light'))
      expect(slider().value).toBe('0')
    },
  )
})

describe('the head of the editor', () => {
  const saving = {
    expiresAt: '2026-11-22T12:09:05Z',
    isBusy: false,
    canSave: true,
    onSave: noted('save'),
  }
  const head = (change: Partial<Parameters<typeof EditorHeader>[0]>) => (
    <EditorHeader
      {...saving}
      asked={null}
      onLeave={noted('leave')}
      onConfirm={noted('confirm')}
      onKeep={noted('keep')}
      {...change}
    />
  )
  it.each([
    ['of a picture without parts', { expiresAt: null }],
    ['ready', {}],
    ['while it saves', { isBusy: true }],
    ['before the picture is seen', { canSave: false }],
    ['when the parts are gone', { expiresAt: '2026-11-22T12:00:00Z' }],
    ['asking', { asked: 'discard' as const }],
    ['asking whether a cut edge is to be saved', { asked: 'border' as const }],
  ])('%s', async (_when, change) => {
    await open(head(change))
    expect(outline()).toMatchSnapshot()
    expect(await pressEach(() => open(head(change)))).toMatchSnapshot()
  })

  it('asks in a dialog of its own, which begins with what keeps the changes', async () => {
    const { again } = await open(head({ asked: 'discard' }))
    const question = screen.getByRole('alertdialog', { name: 'Discard your changes?' })
    const [first] = within(question).getAllByRole('button')
    expect(first?.textContent).toBe('Keep editing')
    await again(head({}))
    expect(screen.queryByRole('alertdialog')).toBeNull()
  })
})

it('Ctrl+Z takes back, Shift or Ctrl+Y does again, a text field keeps its own, until it is gone', async () => {
  const dispatch = noted('step')
  function Keys() {
    useUndoKeys(dispatch)
    return <input type="text" />
  }
  const { unmount } = await open(<Keys />)
  const press = (init: KeyboardEventInit, target: Element = document.body) => {
    happened.length = 0
    const isLeft = fireEvent.keyDown(target, init)
    return [...happened, isLeft ? 'left' : 'taken'].join(' ')
  }
  const step = (type: string) => `step({"type":"${type}"}) taken`
  expect(press({ key: 'z', ctrlKey: true })).toBe(step('undo'))
  expect(press({ key: 'Z', metaKey: true, shiftKey: true })).toBe(step('redo'))
  expect(press({ key: 'y', ctrlKey: true })).toBe(step('redo'))
  expect(press({ key: 'z' })).toBe('left')
  expect(press({ key: 'a', ctrlKey: true })).toBe('left')
  expect(press({ key: 'z', ctrlKey: true }, screen.getByRole('textbox'))).toBe('left')
  unmount()
  expect(press({ key: 'z', ctrlKey: true })).toBe('left')
})

const previewAnswer: PreviewAnswer = {
  success: true,
  expiresAt: '2026-11-22T12:30:00Z',
  image: 'b25l',
  widthPx: 410,
  heightPx: 512,
  visibleBorder: 0.08,
  mended: null,
  background: 'dHdv',
  markBox: null,
  people: [
    { ...person, image: '' },
    { ...person, image: '' },
  ],
}

it('the brush goes by arrows within the picture, paints between two presses of Space, and ends at the blur', async () => {
  function Board() {
    const [arrangement] = useState(changeSubject(testArrangement, 0, { x: 0.5, y: 0.02 }))
    const { at, isPainting, handlers } = useBrush({
      arrangement,
      selected: 0,
      paint: (_, path) => ({ path }) as never,
      onMove: noted('move'),
      onLift: noted('lift'),
    })
    return (
      <div role="application" {...handlers}>
        {at ? `${at.x.toFixed(2)} ${at.y.toFixed(2)}` : 'nowhere'} {String(isPainting)}
      </div>
    )
  }
  await open(<Board />)
  const board = screen.getByRole('application')
  const said: string[] = []
  const press = (key: string, more = {}): void => {
    const isLeft = fireEvent.keyDown(board, { key, ...more })
    said.push(`${key} ${isLeft ? 'left' : 'taken'} ${board.textContent}`)
  }
  press('ArrowRight')
  press('ArrowUp', { shiftKey: true })
  press('ArrowLeft', { shiftKey: true })
  press('ArrowDown')
  press('ArrowDown', { ctrlKey: true })
  press('x')
  press(' ')
  press('ArrowRight')
  press(' ')
  press(' ')
  fireEvent.blur(board)
  said.push(board.textContent ?? '')
  expect([said, happened]).toMatchSnapshot()
})

/** Lets the pause end after which a preview is asked for, and lets it come. */
async function seePreview(): Promise<void> {
  await act(() => vi.advanceTimersByTimeAsync(120))
  await settle()
}

/** Opens the editor, and lets the first preview come. */
async function openDrawn(drawn = previewAnswer): Promise<void> {
  vi.spyOn(HTMLImageElement.prototype, 'decode').mockResolvedValue(undefined)
  answerRequests({ 'POST /api/generations/one/preview': drawn })
  await open(<VariationEditor item={item} onClose={noted('close')} onSaved={noted('saved')} />)
  await seePreview()
}

it('the sliders follow who is moved before the key is lifted', async () => {
  await openDrawn()
  const stage = screen.getByRole('application')
  const slider = screen.getByLabelText<HTMLInputElement>('Move sideways')
  const before = slider.value
  fireEvent.keyDown(stage, { key: 'ArrowRight' })
  expect(slider.valueAsNumber).toBeGreaterThan(Number(before))
})

it.each([
  [arrangementLimits.strokesMax - 1, "Paint over what should go. What's behind shows."],
  [arrangementLimits.strokesMax, 'No strokes left. Undo some.'],
])('of %i strokes on a person the line below the picture says what to do', async (count, text) => {
  const stroke = { ...usualBrush, points: [{ x: 0, y: 0 }] }
  const retouch = Array.from({ length: count }, () => stroke)
  const [user, ...stars] = testArrangement.subjects
  const painted = { ...testArrangement, subjects: [{ ...user!, retouch }, ...stars] }
  const selfie = { ...item, variations: [version('a', painted)] } as unknown as GenerationItem
  vi.spyOn(HTMLImageElement.prototype, 'decode').mockResolvedValue(undefined)
  answerRequests({ 'POST /api/generations/one/preview': previewAnswer })
  await open(<VariationEditor item={selfie} onClose={noted('close')} onSaved={noted('saved')} />)
  await seePreview()
  expect(screen.queryByText(text)).toBeNull()
  fireEvent.click(screen.getByRole('tab', { name: 'Brush' }))
  expect(screen.getByText(text).getAttribute('role')).toBe('status')
})

it('until its parts have come the finished picture stands there, with the tools that wait for them', async () => {
  vi.spyOn(HTMLImageElement.prototype, 'decode').mockResolvedValue(undefined)
  answerRequests({ 'POST /api/generations/one/preview': previewAnswer })
  await open(<VariationEditor item={item} onClose={noted('close')} onSaved={noted('saved')} />)
  const shown = () => [...document.querySelectorAll('img')].map((each) => each.getAttribute('src'))
  expect(shown()).toEqual([testSelfie.imageUrl])
  expect(screen.getByText('Opening the picture…').getAttribute('role')).toBe('status')
  const waiting = () =>
    [screen.getByRole('slider', { name: 'Size' }), screen.getByRole('application')].map(
      (part) => part.closest('[inert]') !== null,
    )
  expect(waiting()).toEqual([true, true])
  expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Save' }).disabled).toBe(true)
  await seePreview()
  expect(waiting()).toEqual([false, false])
  expect(document.activeElement).toBe(screen.getByRole('tab', { name: 'People' }))
  expect(shown()).not.toContain(testSelfie.imageUrl)
})

it('a stroke beside who is chosen says so, and how to paint there, until another one is begun', async () => {
  await openDrawn()
  fireEvent.click(screen.getByRole('tab', { name: 'Brush' }))
  const [stage, missed] = [screen.getByRole('application'), /^The brush paints only on You\./]
  drawWithAlpha(0)
  fireEvent.keyDown(stage, { key: ' ' })
  expect(screen.queryByText(missed), 'it may reach them yet').toBeNull()
  fireEvent.keyDown(stage, { key: ' ' })
  expect(screen.getByText(missed).getAttribute('role')).toBe('status')
  expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Undo' }).disabled).toBe(true)
  fireEvent.click(screen.getByRole('button', { name: 'Ada Vale' }))
  expect(screen.queryByText(missed), 'somebody else is chosen').toBeNull()
  fireEvent.click(screen.getByRole('button', { name: 'You' }))
  drawWithAlpha(255)
  fireEvent.keyDown(stage, { key: ' ' })
  fireEvent.keyDown(stage, { key: ' ' })
  expect(screen.queryByText(missed)).toBeNull()
  expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Undo' }).disabled).toBe(false)
})

it('tells of either brush what it does', async () => {
  vi.spyOn(HTMLImageElement.prototype, 'decode').mockResolvedValue(undefined)
  answerRequests({ 'POST /api/generations/one/preview': previewAnswer })
  await open(<VariationEditor item={item} onClose={noted('close')} onSaved={noted('saved')} />)
  await seePreview()
  fireEvent.click(screen.getByRole('tab', { name: 'Brush' }))
  fireEvent.click(screen.getByRole('button', { name: 'Restore' }))
  expect(screen.getByText('Paint over what should come back. + zooms in.')).toBeTruthy()
  expect(screen.queryByText(/should go/)).toBeNull()
})

it('that the picture of another look is being made is said once', async () => {
  answerRequests({ 'POST /api/generations/one/preview': previewAnswer })
  await open(<VariationEditor item={item} onClose={noted('close')} onSaved={noted('saved')} />)
  await seePreview()
  fireEvent.click(screen.getByRole('tab', { name: 'Look' }))
  await act(async () => void fireEvent.click(screen.getByRole('radio', { name: 'Muted' })))
  expect(screen.getAllByText('Updating the picture…')).toHaveLength(1)
})

it('the editor shows what the server draws, takes steps back, asks before changes are lost, and saves', async () => {
  vi.spyOn(HTMLImageElement.prototype, 'decode').mockResolvedValue(undefined)
  const answer = previewAnswer
  const address = 'POST /api/generations/one/preview'
  answerRequests({ [address]: answer, 'POST /api/generations/one/variations': 500 })
  await open(<VariationEditor item={item} onClose={noted('close')} onSaved={noted('saved')} />)
  expect(outline()).toMatchSnapshot()
  const asks = () => happened.filter((line) => line.startsWith(address))
  await seePreview()
  expect(asks()).toHaveLength(1)
  const mirror = screen.getByRole('button', { name: 'Flip' })
  expect(asks()[0]).toContain('"withPeople":true,"isLarge":false')
  expect(outline()).toMatchSnapshot()
  await act(async () => void fireEvent.click(mirror))
  expect(screen.getByText('Updating the picture…')).toBeTruthy()
  expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Save' }).disabled).toBe(true)
  answerRequests({
    [address]: { ...answer, visibleBorder: 0.081 },
    'POST /api/generations/one/variations': 500,
  })
  await seePreview()
  expect(
    screen.getByText('You can see where the photo ends. Move or enlarge the person.'),
  ).toBeTruthy()
  expect(asks()[1]).toContain('"mirrored":true')
  expect(asks()[1]).toContain('"withPeople":false')
  const press = (name: string) =>
    act(async () => void fireEvent.click(screen.getByRole('button', { name })))
  const saves = () => happened.filter((line) => line.includes('/one/variations'))
  await press('Save')
  expect(screen.getByText('You can see where the photo ends. Save it anyway?')).toBeTruthy()
  await press('Keep editing')
  expect([
    screen.queryByText('You can see where the photo ends. Save it anyway?'),
    saves(),
  ]).toEqual([null, []])
  await press('Save')
  await press('Save anyway')
  await settle()
  expect(screen.getByText('HTTP error! status: 500')).toBeTruthy()
  expect(saves()).toHaveLength(1)
  expect(screen.queryByRole('alertdialog'), 'answered').toBeNull()
  await press('Cancel')
  expect(happened).not.toContain('close()')
  await press('Keep editing')
  fireEvent.keyDown(screen.getByRole('dialog'), { key: 'Escape' })
  await press('Keep editing')
  await press('Undo')
  await press('Cancel')
  expect(happened.filter((line) => line.startsWith('close'))).toHaveLength(1)
  for (const step of ['Redo', 'Before / after', 'Reset']) await press(step)
  expect(outline().slice(-14)).toMatchSnapshot()
})

it('Escape leaves the comparison first, and then the editor', async () => {
  await openDrawn()
  const compare = () => screen.getByRole('button', { name: 'Before / after' })
  await act(async () => void fireEvent.click(compare()))
  expect(compare().getAttribute('aria-pressed')).toBe('true')
  fireEvent.keyDown(screen.getByRole('dialog'), { key: 'Escape' })
  expect(compare().getAttribute('aria-pressed')).toBe('false')
  const closings = () => happened.filter((line) => line.startsWith('close'))
  expect(closings()).toEqual([])
  fireEvent.keyDown(screen.getByRole('dialog'), { key: 'Escape' })
  expect(closings()).toHaveLength(1)
})

it('a change whose picture can’t be drawn can be saved all the same', async () => {
  const address = 'POST /api/generations/one/preview'
  await openDrawn()
  const flip = screen.getByRole('button', { name: 'Flip' })
  answerRequests({ [address]: 500 })
  await act(async () => void fireEvent.click(flip))
  await seePreview()
  expect(screen.getByText('HTTP error! status: 500')).toBeTruthy()
  expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Save' }).disabled).toBe(false)
})

it('what is changed while the picture before is shown is shown itself', async () => {
  await openDrawn()
  const flip = screen.getByRole('button', { name: 'Flip' })
  const compare = screen.getByRole('button', { name: 'Before / after' })
  fireEvent.click(compare)
  expect(compare.getAttribute('aria-pressed')).toBe('true')
  fireEvent.click(flip)
  expect(compare.getAttribute('aria-pressed')).toBe('false')
})

it('what is changed is the version that is shown, and the best where that has none', async () => {
  const [best] = item.variations
  const other = { ...best!, variationId: 'other', arrangement: { ...testArrangement, blur: 0.9 } }
  const opened: number[] = []
  function Editing({ chosen }: { chosen: number }) {
    const variations = [best!, other].map((one, n) => ({ ...one, isChosen: n === chosen }))
    const { present } = useEditing({ ...item, variations })
    useEffect(() => void opened.push(present.blur), [present])
    return null
  }
  for (const chosen of [1, -1]) {
    await open(<Editing chosen={chosen} />)
    cleanup()
  }
  expect(opened).toEqual([0.9, testArrangement.blur])
})

it('where a person stood before they were dragged is known until the hand is lifted', async () => {
  let editing: ReturnType<typeof useEditing> | undefined
  function Editing() {
    const current = useEditing(item)
    useEffect(() => {
      editing = current
    })
    return null
  }
  await open(<Editing />)
  for (const x of [0.4, 0.5]) {
    await act(async () => editing?.onMove(changeSubject(testArrangement, 0, { x })))
  }
  expect(editing?.present.subjects[0]?.x).toBe(0.5)
  expect(editing?.isMoving).toBe(true)
  await act(async () => editing?.onLift())
  expect(editing?.isMoving).toBe(false)
})

it('one press has people stand where no border shows, as one step that can be taken back', async () => {
  const mended = [
    { x: 0.3, y: 0.75, size: 0.4 },
    { x: 0.7, y: 0.4, size: 0.3 },
  ]
  await openDrawn({ ...previewAnswer, visibleBorder: 0.081, mended })
  const press = (name: string) =>
    act(async () => void fireEvent.click(screen.getByRole('button', { name })))
  await press('Before / after')
  expect(screen.queryByText('Hide the edge'), 'not of the picture before').toBeNull()
  await press('Before / after')
  await press('Hide the edge')
  expect(document.activeElement).toBe(screen.getByRole('application'))
  expect(screen.queryByText('Hide the edge')).toBeNull()
  await seePreview()
  const asked = happened.findLast((line) => line.includes('/one/preview'))
  expect(asked).toContain('"x":0.3,"y":0.75,"size":0.4')
  expect(asked).toContain('"x":0.7,"y":0.4,"size":0.3')
  await press('Undo')
  expect(screen.getByRole<HTMLInputElement>('slider', { name: 'Move up or down' }).value).toBe(
    String(testUser.y),
  )
})

it('a border that no place nearby would hide has no such button', async () => {
  await openDrawn({ ...previewAnswer, visibleBorder: 0.081 })
  expect(screen.queryByText('Hide the edge')).toBeNull()
})

it('a border that showed is no longer pointed out while the picture is made anew', async () => {
  await openDrawn({ ...previewAnswer, visibleBorder: 0.081 })
  const said = screen.getByText('You can see where the photo ends. Move or enlarge the person.')
  expect(said.className).toContain('text-amber')
  await act(async () => void fireEvent.click(screen.getByRole('button', { name: 'Flip' })))
  expect(said.textContent).toBe('Updating the picture…')
  expect(said.className).not.toContain('text-amber')
})

it.each([
  ['People', false],
  ['Brush', true],
  ['Look', true],
])('two fingers enlarge the picture beside %s: %s', async (tab, isEnlarged) => {
  await openDrawn()
  await act(async () => void fireEvent.click(screen.getByRole('tab', { name: tab })))
  const stage = screen.getByRole('application')
  const picture = stage.parentElement!
  const whole = picture.style.transform
  stage.setPointerCapture = () => {}
  for (const element of [stage, picture.parentElement!]) {
    element.getBoundingClientRect = () => new DOMRect(0, 0, 100, 100)
  }
  const at = (pointerId: number, clientX: number) => ({ pointerId, clientX, clientY: 50 })
  fireEvent.pointerDown(stage, at(1, 40))
  fireEvent.pointerDown(stage, at(2, 60))
  fireEvent.pointerMove(stage, at(2, 80))
  expect(picture.style.transform !== whole).toBe(isEnlarged)
})

it('while the picture before is shown nobody is framed or moved, and a press beside leaves all as it is', async () => {
  await openDrawn()
  const stage = screen.getByRole('application')
  const slider = screen.getByLabelText<HTMLInputElement>('Move sideways')
  const stands = () => [slider.valueAsNumber, stage.querySelector('.stamp')?.textContent]
  const before = stands()
  expect(before[1], 'who is chosen').toBe('You')
  fireEvent.click(screen.getByRole('button', { name: 'Before / after' }))
  fireEvent.keyDown(stage, { key: 'ArrowRight' })
  expect(stands()).toEqual([before[0], undefined])
  fireEvent.click(screen.getByRole('dialog'))
  expect(happened).not.toContain('close()')
  expect(screen.getByRole('button', { name: 'Before / after', pressed: true })).toBeDefined()
})

it('a picture that is looked at enlarged is asked for larger', async () => {
  const address = 'POST /api/generations/one/preview'
  await openDrawn()
  fireEvent.click(screen.getByRole('button', { name: 'Zoom in' }))
  await seePreview()
  const asked = happened.filter((line) => line.startsWith(address))
  expect(asked.map((line) => line.includes('"isLarge":true'))).toEqual([false, true])
})

it('is seen whole again once somebody goes from the brush to something else', async () => {
  await openDrawn()
  const picture = screen.getByRole('application').parentElement!
  const whole = picture.style.transform
  const press = (role: string, name: string) => fireEvent.click(screen.getByRole(role, { name }))
  press('tab', 'Brush')
  press('button', 'Zoom in')
  press('tab', 'Brush')
  expect(picture.style.transform).not.toBe(whole)
  press('tab', 'Look')
  expect(picture.style.transform).toBe(whole)
  press('button', 'Zoom in')
  press('tab', 'Light')
  expect(picture.style.transform, 'only the brush enlarges in passing').not.toBe(whole)
})

const stepButton = (name: string) => screen.getByRole<HTMLButtonElement>('button', { name })
const previews = () =>
  happened.filter((line) => line.startsWith('POST /api/generations/one/preview'))

it('one move of a slider is a step, the next one another, and keys take both back', async () => {
  await openDrawn()
  const slider = screen.getByLabelText<HTMLInputElement>('Move sideways')
  const began = slider.value
  const move = (value: string) => fireEvent.change(slider, { target: { value } })
  move('0.2')
  move('0.3')
  fireEvent.pointerUp(slider)
  move('0.4')
  fireEvent.keyDown(document.body, { key: 'z', ctrlKey: true })
  expect(slider.value).toBe('0.3')
  fireEvent.keyDown(document.body, { key: 'z', ctrlKey: true })
  expect([slider.value, stepButton('Undo').disabled]).toEqual([began, true])
})

it('a drag is a step by itself, drawn by the server once it is over', async () => {
  await openDrawn()
  const stage = screen.getByRole('application')
  stage.setPointerCapture = () => {}
  stage.getBoundingClientRect = () => new DOMRect(0, 0, 100, 100)
  const at = (clientX: number) => ({ pointerId: 1, clientX, clientY: 40 })
  const slider = screen.getByLabelText<HTMLInputElement>('Move sideways')
  const began = slider.value
  for (const from of [35, 45]) {
    fireEvent.pointerDown(stage, at(from))
    fireEvent.pointerMove(stage, at(from + 5))
    fireEvent.pointerMove(stage, at(from + 10))
    const before = previews().length
    await seePreview()
    expect(previews(), 'while it is under way').toHaveLength(before)
    fireEvent.pointerUp(stage, at(from + 10))
    await seePreview()
    expect(previews()).toHaveLength(before + 1)
  }
  fireEvent.click(stepButton('Undo'))
  expect(slider.valueAsNumber).toBeCloseTo(Number(began) + 0.1)
  fireEvent.click(stepButton('Undo'))
  expect([slider.value, stepButton('Undo').disabled]).toEqual([began, true])
})

it('what is compared is the picture of before; saved is what stands there now, once', async () => {
  await openDrawn()
  await act(async () => void fireEvent.click(stepButton('Flip')))
  await seePreview()
  fireEvent.click(stepButton('Before / after'))
  await seePreview()
  expect(previews().map((line) => line.includes('"mirrored":true'))).toEqual([false, true, false])
  fireEvent.click(stepButton('Save'))
  const saves = happened.filter((line) => line.startsWith('POST /api/generations/one/variations'))
  expect(saves).toEqual([expect.stringContaining('"mirrored":true')])
  expect(stepButton('Saving…').disabled).toBe(true)
  fireEvent.click(stepButton('Before / after'))
  expect(stepButton('Before / after').getAttribute('aria-pressed')).toBe('false')
})

it('changes alone are asked about, by the page and by the browser, and a second press takes the question away', async () => {
  await openDrawn()
  const unload = () => {
    const event = new Event('beforeunload', { cancelable: true })
    dispatchEvent(event)
    return event.defaultPrevented
  }
  const press = (name: string) => act(async () => void fireEvent.click(stepButton(name)))
  expect(unload()).toBe(false)
  await press('Flip')
  expect(unload()).toBe(true)
  const isAsked = () => screen.queryByRole('button', { name: 'Keep editing' }) !== null
  await act(async () => void dispatchEvent(new PopStateEvent('popstate')))
  expect(isAsked()).toBe(true)
  await press('Keep editing')
  expect(isAsked()).toBe(false)
  await press('Cancel')
  expect(isAsked()).toBe(true)
  await press('Keep editing')
  expect([isAsked(), happened.includes('close()')]).toEqual([false, false])
})

it('a picture that could not be drawn says so alone, and is asked for again at a press', async () => {
  await openDrawn()
  answerRequests({ 'POST /api/generations/one/preview': 500 })
  fireEvent.click(stepButton('Flip'))
  await seePreview()
  const before = previews().length
  expect(screen.getByText('HTTP error! status: 500')).toBeTruthy()
  expect(screen.queryByText('Updating the picture…')).toBeNull()
  fireEvent.click(stepButton('Try again'))
  await seePreview()
  expect(previews()).toHaveLength(before + 1)
})

it('photos of one’s own are told apart by numbers', async () => {
  let names: readonly string[] = []
  function Editing() {
    const editing = useEditing({ ...item, celebrities: [customCelebrity, customCelebrity] })
    useEffect(() => {
      names = editing.names
    })
    return null
  }
  await open(<Editing />)
  expect(names).toEqual(['You', 'Your star 1', 'Your star 2'])
})
