import type { Arrangement } from '@starside/contract/arrangement.ts'
import { arrangementLimits } from '@starside/contract/arrangement-limits.ts'
import { act, fireEvent, render, screen } from '@testing-library/react'
import { useState } from 'react'
import { afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest'
import { LanguageProvider } from '../../ui/language.tsx'
import { registerCatalogue } from '../../ui/messages/catalogues.ts'
import messages from '@starside/contract/texts/en/variations.json'
import { drawWithAlpha } from '../testing/draw-with-alpha.ts'
import { testArrangement, testUser } from '../testing/test-arrangement.ts'
import type { Brush } from './brush.ts'
import { EditorStage } from './editor-stage.tsx'
import { wholePicture, type PictureView } from './picture-view.ts'

beforeAll(() => registerCatalogue('variations', 'en', messages))
afterEach(() => document.body.replaceChildren())

const first = { ...testArrangement, subjects: [testUser, { ...testUser, x: 0.99 }] }

let now: Arrangement = first
let lifts = 0
let misses: boolean[] = []
beforeEach(() => {
  now = first
  lifts = 0
  misses = []
})
afterEach(() => vi.restoreAllMocks())

interface StageOptions {
  selected?: number
  /** Who else is in the photo of the first: their head, in pixels of the image. */
  friend?: { x: number; y: number; size: number }
  isStill?: boolean
  isMoving?: boolean
  view?: PictureView
  look?: Arrangement['look']
  brush?: Brush | null
  showsSelected?: boolean
  onView?: (view: PictureView) => void
  onSelect?: (index: number) => void
  /** What differs from the picture that the server has made. */
  change?: Partial<Arrangement>
}

const head = {
  heads: [{ x: 50, y: 60, size: 40 }],
  box: { left: -0.75, top: -1, right: 0.8, bottom: 0.6 },
  uprightDegrees: 0,
  foot: null,
}
const person = { ...head, widthPx: 100, heightPx: 200, image: new Image() }

function Stage(options: StageOptions) {
  const { selected = 0, isStill = false, look = 'natural' } = options
  const [isMoving, setMoving] = useState(options.isMoving ?? false)
  const { view = wholePicture, friend } = options
  const { brush = null, onView = () => {}, onSelect = () => {} } = options
  const { showsSelected = brush === null } = options
  const [arrangement, setArrangement] = useState<Arrangement>({ ...first, look, ...options.change })
  return (
    <EditorStage
      arrangement={arrangement}
      initial={first}
      names={['You', 'Ada Vale']}
      preview={{
        arrangement: first,
        isLarge: false,
        image: 'data:image/jpeg;base64,picture',
        visibleBorder: 0,
        mended: null,
        background: new Image(),
        markBox: null,
        people: [{ ...person, heads: [...person.heads, ...(friend ? [friend] : [])] }, person],
      }}
      isMoving={isMoving}
      isStill={isStill}
      showsSelected={showsSelected}
      selected={selected}
      brush={brush}
      view={view}
      onView={onView}
      onSelect={onSelect}
      onMove={(moved) => {
        now = moved
        setArrangement(moved)
        setMoving(true)
      }}
      onStroke={(isMissed) => misses.push(isMissed)}
      onLift={() => {
        lifts++
        setMoving(options.isMoving ?? false)
      }}
    />
  )
}

async function show(options: StageOptions = {}): Promise<HTMLElement> {
  await act(async () =>
    render(
      <LanguageProvider initial="en">
        <Stage {...options} />
      </LanguageProvider>,
    ),
  )
  return screen.getByRole('application', { name: messages.stage })
}

/** Gives the picture a place within a stage as high, and as wide or wider; returns the frame that it fits into. */
function lay(stage: HTMLElement, width = 100, stageWidth = width): HTMLElement {
  const frame = stage.parentElement!.parentElement!
  const boxes = [stage, frame, frame.parentElement!]
  const widths = [width, width, stageWidth]
  for (const [n, element] of boxes.entries()) {
    element.getBoundingClientRect = () => new DOMRect(0, 0, widths[n], 100)
  }
  return frame
}

const placeOf = (n: number) => {
  const { x, y, size } = now.subjects[n]!
  return [x, y, size].map((value) => Number(value.toFixed(3)))
}

it('moves who is chosen by arrow keys, farther with Shift, and sizes them by plus and minus', async () => {
  const stage = await show()
  expect(stage.tabIndex).toBe(0)
  fireEvent.keyDown(stage, { key: 'ArrowRight' })
  fireEvent.keyDown(stage, { key: 'ArrowRight' })
  expect(placeOf(0)).toEqual([0.37, 0.4, 0.35])
  fireEvent.keyDown(stage, { key: 'ArrowUp', shiftKey: true })
  expect(placeOf(0)).toEqual([0.37, 0.35, 0.35])
  // Plus is typed with Shift on many keyboards, and is no larger step for that.
  for (const key of ['-', '-', '=', '+', '+']) {
    fireEvent.keyDown(stage, { key, shiftKey: key === '+' })
  }
  expect(placeOf(0)).toEqual([0.37, 0.35, 0.36])
  expect(now.subjects[1]).toEqual(first.subjects[1])
})

it('tells what a key changed and who is moved, until the focus goes elsewhere', async () => {
  const stage = await show({ selected: 1 })
  expect(document.getElementById(stage.getAttribute('aria-describedby')!)?.textContent).toContain(
    'Ada Vale',
  )
  const status = screen.getByRole('status')
  expect(status.textContent).toBe('')
  for (let n = 0; n < 3; n++) fireEvent.keyDown(stage, { key: 'ArrowRight' })
  expect(placeOf(1), 'nobody leaves the picture').toEqual([1, 0.4, 0.35])
  expect(status.textContent).toBe('Ada Vale: Move sideways 100 %')
  fireEvent.blur(stage)
  expect(status.textContent).toBe('')
})

it('asks for the picture when the key is released, and leaves other keys to the browser', async () => {
  const stage = await show()
  expect(fireEvent.keyDown(stage, { key: 'ArrowDown' }), 'the page does not scroll').toBe(false)
  expect(lifts).toBe(0)
  fireEvent.keyUp(stage, { key: 'ArrowDown' })
  expect(lifts).toBe(1)
  for (const other of [
    { key: 'Tab' },
    { key: '-', ctrlKey: true },
    { key: 'ArrowLeft', altKey: true },
  ]) {
    expect(fireEvent.keyDown(stage, other)).toBe(true)
  }
  expect(placeOf(0)).toEqual([0.35, 0.41, 0.35])
})

it('moves nobody while the picture before is shown, which is stamped as that', async () => {
  await show()
  expect(screen.queryByText('Before')).toBeNull()
  document.body.replaceChildren()
  const stage = await show({ isStill: true })
  expect(screen.getByText('Before').className).toBe('stamp')
  fireEvent.keyDown(stage, { key: 'ArrowRight' })
  expect(now).toBe(first)
})

it('says how people are dragged only where they are framed', async () => {
  await show()
  expect(screen.getByText(/^Drag people/)).toBeTruthy()
  document.body.replaceChildren()
  await show({ showsSelected: false })
  expect(screen.queryByText(/^Drag people/)).toBeNull()
})

it('frames who is chosen with their name, in an instant picture within its white border', async () => {
  await show({ selected: 1 })
  const placeOfFrame = () => {
    const { style } = screen.getByText('Ada Vale').parentElement!
    return ['--x', '--y', '--size'].map((measure) => Number(style.getPropertyValue(measure)))
  }
  expect(placeOfFrame()).toEqual([0.99, 0.4, 0.35])
  document.body.replaceChildren()
  const stage = await show({ selected: 1, look: 'instant' })
  expect(placeOfFrame()).toEqual([0.99, 0.4, 0.35])
  const paper = stage.parentElement!.parentElement!
  expect(paper.className, 'as `dashboard.css` lays it').toBe('paper paper-instant')
  expect(['--across', '--down'].map((side) => paper.style.getPropertyValue(side))).toEqual([
    '4',
    '5',
  ])
})

it('draws people by themselves while they stand elsewhere than in the picture of the server', async () => {
  const stage = await show()
  const canvas = stage.querySelector('canvas')!
  fireEvent.load(screen.getByAltText(messages.previewAlt))
  expect(canvas.className).toContain('invisible')
  fireEvent.keyDown(stage, { key: 'ArrowRight' })
  fireEvent.keyUp(stage, { key: 'ArrowRight' })
  expect(canvas.className, 'nobody jumps back').not.toContain('invisible')
})

it.each([
  [false, '-0.75', '0.8'],
  [true, '-0.8', '0.75'],
])('the frame goes round heads and hair, mirrored: %s', async (mirrored, left, right) => {
  await show({ change: { subjects: [{ ...testUser, mirrored }, first.subjects[1]!] } })
  const { style } = screen.getByText('You').parentElement!
  const sides = ['left', 'top', 'right', 'bottom'].map((side) =>
    style.getPropertyValue(`--${side}`),
  )
  expect(sides).toEqual([left, '-1', right, '0.6'])
})

it('a finger at the head of a friend takes who they stay with, as a whole', async () => {
  const onSelect = vi.fn()
  // A head's size and a half to the right of the first.
  const friend = { x: 110, y: 60, size: 40 }
  const stage = await show({ selected: 1, friend, onSelect })
  stage.setPointerCapture = () => {}
  stage.getBoundingClientRect = () => new DOMRect(0, 0, 80, 100)
  const x = 80 * (0.35 + (1.5 * 0.35 * 5) / 4)
  const at = (right: number) => ({ pointerId: 1, clientX: x + right, clientY: 40 })
  fireEvent.pointerDown(stage, at(0))
  expect(onSelect.mock.calls).toEqual([[0]])
  fireEvent.pointerMove(stage, at(-8))
  expect(placeOf(0)).toEqual([0.25, 0.4, 0.35])
  expect(now.subjects[1]).toEqual(first.subjects[1])
})

it('in an enlarged picture the head of a friend is no place beside the heads', async () => {
  const onView = vi.fn()
  const friend = { x: 110, y: 60, size: 40 }
  const stage = await show({ friend, view: { x: 0.5, y: 0.5, zoom: 2 }, onView })
  stage.setPointerCapture = () => {}
  stage.getBoundingClientRect = () => new DOMRect(0, 0, 80, 100)
  const at = (clientX: number) => ({ pointerId: 1, clientX, clientY: 40 })
  fireEvent.pointerDown(stage, at(80))
  fireEvent.pointerMove(stage, at(76))
  expect(onView).not.toHaveBeenCalled()
  expect(placeOf(0)).toEqual([0.3, 0.4, 0.35])
})

it('buttons enlarge about what is in the middle already, whoever is chosen', async () => {
  const views: PictureView[] = []
  const view = { x: 0.3, y: 0.7, zoom: 3 }
  lay(await show({ selected: 1, view, onView: (next) => views.push(next) }))
  for (const name of [messages.zoomIn, messages.zoomOut]) {
    fireEvent.click(screen.getByRole('button', { name }))
  }
  expect(views.map(({ x, y }) => [x, y])).toEqual([
    [expect.closeTo(0.3), expect.closeTo(0.7)],
    [expect.closeTo(0.3), expect.closeTo(0.7)],
  ])
})

it('lets go of a person when the touch is cancelled', async () => {
  const stage = await show()
  stage.setPointerCapture = () => {}
  stage.getBoundingClientRect = () => new DOMRect(0, 0, 100, 100)
  const at = (x: number) => ({ pointerId: 1, clientX: x, clientY: 40 })
  fireEvent.pointerDown(stage, at(30))
  fireEvent.pointerMove(stage, at(35))
  const [moved] = placeOf(0)
  expect(moved).toBeGreaterThan(testUser.x)
  fireEvent.pointerCancel(stage, at(35))
  expect(lifts).toBe(1)
  fireEvent.pointerMove(stage, at(80))
  expect(placeOf(0)[0]).toBe(moved)
})

it.each([0, 1, 2, 3])(
  'corner %d of the frame sizes who is chosen about their head, within the limits of the slider',
  async (n) => {
    const stage = await show({ selected: 0 })
    stage.setPointerCapture = () => {}
    stage.getBoundingClientRect = () => new DOMRect(0, 0, 80, 100)
    const corner = stage.querySelectorAll('[data-corner]')[n]!
    const [across, down] = [n % 2 === 0 ? -1 : 1, n < 2 ? -1 : 1]
    const at = (px: number) => ({
      pointerId: 1,
      clientX: 28 + across * px,
      clientY: 40 + down * px,
    })
    fireEvent.pointerDown(corner, at(28))
    fireEvent.pointerMove(stage, at(40))
    expect(placeOf(0), 'nobody is moved').toEqual([0.35, 0.4, 0.5])
    fireEvent.pointerMove(stage, at(90))
    expect(placeOf(0)[2]).toBe(arrangementLimits.sizeMax)
    fireEvent.pointerMove(stage, at(1))
    expect(placeOf(0)[2]).toBe(arrangementLimits.sizeMin)
    expect(lifts).toBe(0)
    fireEvent.pointerUp(stage, at(1))
    expect(lifts, 'it is one step').toBe(1)
    expect(now.subjects[1]).toEqual(first.subjects[1])
  },
)

it('a corner sizes who is chosen, though somebody else stands there', async () => {
  const stage = await show({
    selected: 0,
    change: { subjects: [testUser, { ...testUser, x: 0.6 }] },
  })
  stage.setPointerCapture = () => {}
  stage.getBoundingClientRect = () => new DOMRect(0, 0, 100, 100)
  const at = (clientX: number) => ({ pointerId: 1, clientX, clientY: 40 })
  fireEvent.pointerDown(stage.querySelector('[data-corner]')!, at(60))
  fireEvent.pointerMove(stage, at(65))
  expect(placeOf(0)).toEqual([0.35, 0.4, 0.42])
})

it('a corner sizes who stays together about the middle of their heads', async () => {
  const stage = await show({ friend: { x: 90, y: 60, size: 40 } })
  stage.setPointerCapture = () => {}
  stage.getBoundingClientRect = () => new DOMRect(0, 0, 400, 500)
  // Their heads stand at 140 and 315, so that their middle is at 227.5.
  const at = (clientX: number) => ({ pointerId: 1, clientX, clientY: 200 })
  fireEvent.pointerDown(stage.querySelector('[data-corner]')!, at(127.5))
  fireEvent.pointerMove(stage, at(177.5))
  expect(placeOf(0)).toEqual([0.459, 0.4, 0.175])
})

it('is enlarged by two fingers where they size nobody, and by buttons about who is chosen', async () => {
  const views: PictureView[] = []
  const onView = (view: PictureView): number => views.push(view)
  const stage = await show({ selected: 1, showsSelected: false, onView })
  stage.setPointerCapture = () => {}
  lay(stage)
  const at = (pointerId: number, clientX: number) => ({ pointerId, clientX, clientY: 50 })
  fireEvent.pointerDown(stage, at(1, 40))
  fireEvent.pointerDown(stage, at(2, 60))
  fireEvent.pointerMove(stage, at(2, 80))
  expect(views[0]).toEqual({ zoom: 2, x: 0.45, y: 0.5 })
  expect(now, 'nobody is sized').toBe(first)
  fireEvent.click(screen.getByRole('button', { name: messages.zoomIn }))
  const { zoom, x } = views[1]!
  expect(x + 0.5 / zoom, 'as far as the border that they stand at').toBeCloseTo(1)
})

const eraser: Brush = { kind: 'erase', size: 0.2, softness: 0.5 }

it('paints a stroke where a finger goes, in head sizes from the head, and moves nobody', async () => {
  const stage = await show({ brush: eraser })
  stage.setPointerCapture = () => {}
  stage.getBoundingClientRect = () => new DOMRect(0, 0, 80, 100)
  const at = (clientX: number, clientY: number) => ({ pointerId: 1, clientX, clientY })
  fireEvent.pointerDown(stage, at(28, 40))
  fireEvent.pointerMove(stage, at(28, 40))
  fireEvent.pointerMove(stage, at(28 + 35, 40))
  const trail = () => stage.querySelector('polyline')?.getAttribute('points')?.trim()
  expect(trail(), 'where the brush has been is seen').toMatch(/ 1\.4,2 3\.15,2$/)
  fireEvent.pointerUp(stage, at(28 + 35, 40))
  expect(trail(), 'until it is lifted').toBe('')
  const { retouch, ...stands } = now.subjects[0]!
  expect(stands).toEqual(testUser)
  expect(retouch).toEqual([
    {
      ...eraser,
      points: [
        { x: 0, y: 0 },
        { x: expect.closeTo(0.333), y: 0 },
        { x: expect.closeTo(0.667), y: 0 },
        { x: 1, y: 0 },
      ],
    },
  ])
  expect(lifts).toBe(1)
})

it.each([
  [255, false],
  [25, true],
  [0, true],
])(
  'a stroke where the person is %i of 255 strong is missed, and none: %s',
  async (alpha, isMissed) => {
    drawWithAlpha(alpha)
    const stage = await show({ brush: eraser })
    stage.setPointerCapture = () => {}
    stage.getBoundingClientRect = () => new DOMRect(0, 0, 80, 100)
    const at = { pointerId: 1, clientX: 70, clientY: 40 }
    fireEvent.pointerDown(stage, at)
    fireEvent.pointerUp(stage, at)
    expect(misses).toEqual([isMissed])
    expect(now.subjects[0]!.retouch?.length).toBe(isMissed ? undefined : 1)
  },
)

it('paints by keys from Space to Space, and tells it', async () => {
  const stage = await show({ brush: eraser })
  fireEvent.keyDown(stage, { key: 'ArrowRight', shiftKey: true })
  expect(now, 'the brush alone has moved').toBe(first)
  fireEvent.keyDown(stage, { key: ' ' })
  expect(screen.getByRole('status').textContent).toBe(messages.painting)
  fireEvent.keyDown(stage, { key: 'ArrowDown', shiftKey: true })
  fireEvent.keyDown(stage, { key: ' ' })
  expect(now.subjects[0]!.retouch?.map(({ points }) => points.length)).toEqual([2])
  expect(screen.getByRole('status').textContent).toBe('')
})

it('shows how far the brush goes where the pointer is, and nothing once it has left', async () => {
  const stage = await show({ brush: eraser })
  stage.getBoundingClientRect = () => new DOMRect(0, 0, 80, 100)
  const places = () =>
    [...stage.querySelectorAll('circle')].map((circle) => circle.getAttribute('cy'))
  expect(places()).toEqual([])
  fireEvent.pointerMove(stage, { pointerId: 1, clientX: 20, clientY: 50 })
  expect(places()).toHaveLength(1)
  fireEvent.pointerLeave(stage)
  expect(places()).toEqual([])
})

it('takes back what the first finger painted once a second one enlarges the picture', async () => {
  const stage = await show({ brush: eraser, onView: () => {} })
  stage.setPointerCapture = () => {}
  stage.getBoundingClientRect = () => new DOMRect(0, 0, 80, 100)
  const at = (pointerId: number, clientX: number) => ({ pointerId, clientX, clientY: 40 })
  fireEvent.pointerDown(stage, at(1, 28))
  fireEvent.pointerMove(stage, at(1, 40))
  expect(now.subjects[0]!.retouch).toHaveLength(1)
  fireEvent.pointerDown(stage, at(2, 60))
  expect(now.subjects[0]!.retouch ?? []).toEqual([])
})

it.each([
  ['chooses who stands nearest', null, [[1]]],
  ['chooses nobody else while it paints', eraser, []],
] as const)('a finger that is put down %s', async (_what, brush, calls) => {
  const onSelect = vi.fn()
  const stage = await show({ brush, onSelect })
  stage.setPointerCapture = () => {}
  stage.getBoundingClientRect = () => new DOMRect(0, 0, 100, 100)
  fireEvent.pointerDown(stage, { pointerId: 1, clientX: 95, clientY: 40 })
  expect(onSelect.mock.calls).toEqual(calls)
})

it('another button than the first moves the enlarged picture while the brush is chosen, and paints nothing', async () => {
  const views: PictureView[] = []
  const view = { x: 0.5, y: 0.5, zoom: 2 }
  const onView = (next: PictureView) => void views.push(next)
  const stage = await show({ brush: eraser, view, onView })
  stage.setPointerCapture = () => {}
  lay(stage, 80)
  const at = (clientX: number, clientY: number) => ({ pointerId: 1, button: 1, clientX, clientY })
  fireEvent.pointerDown(stage, at(40, 50))
  fireEvent.pointerMove(stage, at(48, 40))
  fireEvent.pointerUp(stage, at(48, 40))
  expect(views).toEqual([{ zoom: 2, x: expect.closeTo(0.5 - 0.05), y: expect.closeTo(0.5 + 0.05) }])
  expect(now).toBe(first)
})

it('an enlarged picture takes the whole stage, to its own edges, and stands in the middle until it fills that', async () => {
  const views: PictureView[] = []
  const stage = await show({ onView: (view) => views.push(view) })
  const frame = lay(stage, 80, 200)
  const turn = (deltaY: number) =>
    fireEvent(
      frame,
      Object.assign(new Event('wheel', { cancelable: true }), { deltaY, clientX: 0, clientY: 50 }),
    )
  turn(-300)
  expect(views[0], 'narrower than the stage').toEqual({ zoom: 2, x: 0.5, y: 0.5 })
  turn(-600)
  const { x, zoom } = views[1]!
  expect(80 * zoom * x, 'its left edge lies where the stage begins').toBeCloseTo(100)
})

it.each([
  ['beside the heads a finger moves the picture', 0.55, 0.9, true],
  ['at a head it moves that person', 0.35, 0.4, false],
])('in an enlarged picture, %s', async (_what, x, y, isOfView) => {
  const onView = vi.fn()
  const stage = await show({ view: { x: 0.5, y: 0.5, zoom: 2 }, onView })
  stage.setPointerCapture = () => {}
  lay(stage)
  const at = (right: number) => ({ pointerId: 1, clientX: 100 * x + right, clientY: 100 * y })
  fireEvent.pointerDown(stage, at(0))
  fireEvent.pointerMove(stage, at(10))
  expect(onView.mock.calls).toEqual(
    isOfView ? [[{ zoom: 2, x: expect.closeTo(0.45), y: expect.closeTo(0.5) }]] : [],
  )
  expect(now === first).toBe(isOfView)
})

it('the wheel enlarges the picture about the pointer, and the page stands still', async () => {
  const views: PictureView[] = []
  const stage = await show({ onView: (view) => views.push(view) })
  const frame = lay(stage)
  const turn = (deltaY: number) =>
    fireEvent(
      frame,
      Object.assign(new Event('wheel', { cancelable: true }), { deltaY, clientX: 60, clientY: 40 }),
    )
  expect(turn(-300)).toBe(false)
  expect(views).toEqual([{ zoom: 2, x: 0.55, y: 0.45 }])
  turn(300)
  expect(views[1]?.zoom, 'nothing is smaller than the whole').toBe(1)
})

it('a person who was sized by two fingers stays as they are when one of them is lifted', async () => {
  const stage = await show()
  stage.setPointerCapture = () => {}
  stage.getBoundingClientRect = () => new DOMRect(0, 0, 100, 100)
  const at = (pointerId: number, clientX: number) => ({ pointerId, clientX, clientY: 40 })
  fireEvent.pointerDown(stage, at(1, 30))
  fireEvent.pointerDown(stage, at(2, 40))
  fireEvent.pointerMove(stage, at(2, 44))
  const sized = placeOf(0)
  expect(sized[2]).toBeGreaterThan(testUser.size)
  fireEvent.pointerUp(stage, at(2, 44))
  fireEvent.pointerMove(stage, at(1, 30))
  expect(placeOf(0)).toEqual(sized)
})

it('draws people by themselves while somebody is moved', async () => {
  const stage = await show()
  const isDrawn = () => !stage.querySelector('canvas')!.className.includes('invisible')
  fireEvent.load(screen.getByAltText(messages.previewAlt))
  expect(isDrawn()).toBe(false)
  document.body.replaceChildren()
  const other = await show({ isMoving: true })
  fireEvent.load(screen.getByAltText(messages.previewAlt))
  expect(other.querySelector('canvas')!.className).not.toContain('invisible')
})

it('is as large as it may be, or whole again, by buttons of which one has come to its end', async () => {
  const views: PictureView[] = []
  const onView = (view: PictureView): number => views.push(view)
  lay(await show({ onView, view: { x: 0.3, y: 0.3, zoom: 6 } }))
  const button = (name: string) => screen.getByRole<HTMLButtonElement>('button', { name })
  expect([button(messages.zoomIn).disabled, button(messages.zoomOut).disabled]).toEqual([
    true,
    false,
  ])
  fireEvent.click(button(messages.zoomOut))
  expect(views[0]?.zoom).toBeCloseTo(3.75)
  fireEvent.click(button(`600 %, ${messages.zoomFit}`))
  expect(views[1]).toEqual(wholePicture)
})

it('tells how the brush is led, and shows it as large as it is beside the head', async () => {
  const stage = await show({ brush: eraser })
  stage.getBoundingClientRect = () => new DOMRect(0, 0, 80, 100)
  const help = document.getElementById(stage.getAttribute('aria-describedby')!)
  expect(help?.textContent).toBe(messages.brushKeys)
  fireEvent.pointerMove(stage, { pointerId: 1, clientX: 20, clientY: 50 })
  // Of a picture of 4 by 5.
  expect(Number(stage.querySelector('circle')?.getAttribute('r'))).toBeCloseTo(0.2 * 0.35 * 2.5)
})

it('holds a finger that leaves it, and hears none while the picture before is shown', async () => {
  const stage = await show({ isStill: true })
  expect(stage.className).toContain('pointer-events-none')
  document.body.replaceChildren()
  const other = await show()
  expect(other.className).not.toContain('pointer-events-none')
  other.setPointerCapture = vi.fn()
  fireEvent.pointerDown(other, { pointerId: 7, clientX: 1, clientY: 1 })
  expect(other.setPointerCapture).toHaveBeenCalledExactlyOnceWith(7)
})

it.each<[string, Partial<Arrangement>, boolean]>([
  ['another format is drawn anew of its parts', { aspect: '1:1' }, false],
  ['another place stands whole', { scene: 'stage' }, true],
])('the picture of %s, in full colour, while its own is made', async (_what, change, isWhole) => {
  const stage = await show({ change })
  fireEvent.load(screen.getByAltText(messages.previewAlt))
  expect(stage.parentElement?.className).not.toContain('opacity')
  expect(stage.querySelector('canvas')?.classList.contains('invisible')).toBe(isWhole)
})

it('who is brought to the front is drawn so at once, and the picture of the server once it has come', async () => {
  const canvasOf = (stage: HTMLElement) => stage.querySelector('canvas')?.className
  const before = await show()
  fireEvent.load(screen.getByAltText(messages.previewAlt))
  expect(canvasOf(before)).toContain('invisible')
  document.body.replaceChildren()
  const stage = await show({ change: { frontToBack: first.frontToBack.toReversed() } })
  fireEvent.load(screen.getByAltText(messages.previewAlt))
  expect(canvasOf(stage)).not.toContain('invisible')
})

it('the lines of a frame stay as thin in a picture that is enlarged', async () => {
  const zoom = () => screen.getByText('You').parentElement!.style.getPropertyValue('--zoom')
  await show()
  expect(zoom(), 'by which they are divided').toBe('1')
  document.body.replaceChildren()
  await show({ view: { x: 0.3, y: 0.3, zoom: 4 } })
  expect(zoom()).toBe('4')
})

it.each([{ metaKey: true }, { ctrlKey: true }, { altKey: true }])(
  'keys with %j are the browser’s, with a brush and without one',
  async (held) => {
    for (const brush of [null, eraser]) {
      const stage = await show({ brush })
      for (const key of ['ArrowRight', '-', ...(brush ? [' '] : [])]) {
        expect(fireEvent.keyDown(stage, { key, ...held }), key).toBe(true)
      }
      expect(now).toBe(first)
      expect(screen.queryByText(messages.painting)).toBeNull()
      document.body.replaceChildren()
    }
  },
)

it('plus and minus change no brush, and the browser has them', async () => {
  const stage = await show({ brush: eraser })
  expect(fireEvent.keyDown(stage, { key: '+' })).toBe(true)
  expect([fireEvent.keyDown(stage, { key: ' ' }), now === first]).toEqual([false, false])
})

it('the focus that goes elsewhere lifts the key, and a stroke of keys ends with it', async () => {
  const stage = await show()
  fireEvent.keyDown(stage, { key: 'ArrowRight' })
  fireEvent.blur(stage)
  expect(lifts).toBe(1)
  document.body.replaceChildren()
  const painted = await show({ brush: eraser })
  fireEvent.keyDown(painted, { key: ' ' })
  fireEvent.blur(painted)
  expect(lifts).toBe(2)
  expect(screen.queryByText(messages.painting)).toBeNull()
})

it('a finger that was not put down moves nobody, and one that stays down goes on alone', async () => {
  const stage = await show()
  stage.setPointerCapture = () => {}
  stage.getBoundingClientRect = () => new DOMRect(0, 0, 100, 100)
  const at = (pointerId: number, clientX: number, clientY = 40) => ({ pointerId, clientX, clientY })
  fireEvent.pointerDown(stage, at(1, 35))
  fireEvent.pointerMove(stage, at(7, 90))
  expect(now).toBe(first)
  fireEvent.pointerUp(stage, at(7, 90))
  expect(lifts).toBe(0)
  fireEvent.pointerDown(stage, at(2, 55))
  fireEvent.pointerMove(stage, at(2, 55, 42))
  expect(now.subjects[0]!.turnDegrees, 'turned about both').toBeCloseTo(5.71)
  fireEvent.pointerUp(stage, at(2, 55, 42))
  expect(lifts, 'one is still down').toBe(0)
  const { x } = now.subjects[0]!
  fireEvent.pointerMove(stage, at(1, 45))
  expect(now.subjects[0]!.x - x).toBeCloseTo(0.1)
  expect(now.subjects[0]!.turnDegrees, 'as it was').toBeCloseTo(5.71)
  fireEvent.pointerUp(stage, at(1, 45))
  expect(lifts).toBe(1)
})

it('a brush that is put down and lifted paints a dot, and two fingers paint nothing', async () => {
  const stage = await show({ brush: eraser })
  stage.setPointerCapture = () => {}
  stage.getBoundingClientRect = () => new DOMRect(0, 0, 80, 100)
  const at = (pointerId: number, clientX: number) => ({ pointerId, clientX, clientY: 40 })
  fireEvent.pointerDown(stage, at(1, 28))
  fireEvent.pointerUp(stage, at(1, 28))
  expect(now.subjects[0]!.retouch?.map(({ points }) => points.length)).toEqual([1])
  document.body.replaceChildren()
  now = first
  const other = await show({ brush: eraser })
  other.setPointerCapture = () => {}
  other.getBoundingClientRect = () => new DOMRect(0, 0, 80, 100)
  fireEvent.pointerDown(other, at(1, 28))
  fireEvent.pointerMove(other, at(1, 30))
  fireEvent.pointerDown(other, at(2, 50))
  fireEvent.pointerUp(other, at(2, 50))
  fireEvent.pointerMove(other, at(1, 60))
  fireEvent.pointerUp(other, at(1, 60))
  expect(now.subjects[0]!.retouch ?? []).toEqual([])
})
