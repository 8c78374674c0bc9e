import type { ArrangedSubject, Arrangement } from '@starside/contract/arrangement.ts'
import type { GenerationItem } from '@starside/contract/generation.ts'
import { act, fireEvent, render, screen, waitFor } from '@testing-library/react'
import { useState } from 'react'
import { afterEach, beforeAll, expect, it, vi } from 'vitest'
import { sceneNames } from '@starside/contract/scenes.ts'
import { holdQuestions } from '../../api/testing/test-answers.ts'
import { LanguageProvider } from '../../ui/language.tsx'
import { registerCatalogue } from '../../ui/messages/catalogues.ts'
import dashboard from '@starside/contract/texts/en/dashboard.json'
import messages from '@starside/contract/texts/en/variations.json'
import { testArrangement } from '../testing/test-arrangement.ts'
import { testSelfie } from '../testing/test-selfie.ts'
import { usualBrush, type Brush } from './brush.ts'
import { EditorControls, type EditorTab } from './editor-controls.tsx'
import type { Preview } from './use-preview.ts'

beforeAll(() => {
  registerCatalogue('variations', 'en', messages)
  registerCatalogue('dashboard', 'en', dashboard)
})

afterEach(() => {
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

/** A selfie of which the server has made the chosen version, in natural colours, and a muted one in a café. */
const item = {
  ...testSelfie,
  variations: [
    {
      variationId: 'a',
      look: 'natural',
      thumbnailUrl: '/natural.jpg',
      arrangement: testArrangement,
    },
    {
      variationId: 'b',
      look: 'muted',
      thumbnailUrl: '/muted.jpg',
      arrangement: { ...testArrangement, scene: 'cafe' },
    },
  ],
} as unknown as GenerationItem
const answer = {
  success: true,
  expiresAt: '',
  image: 'chosen',
  widthPx: 1,
  heightPx: 1,
  visibleBorder: 0,
  mended: null,
  background: '',
  markBox: null,
  people: null,
}
const preview = {
  arrangement: testArrangement,
  background: new Image(),
  people: [],
  image: 'data:image/jpeg;base64,chosen',
} as unknown as Preview

interface Shown {
  first: Arrangement
  selected: number
  names: readonly string[]
  drawn: Preview
}

function Controls(props: Shown & { onChange: (arrangement: Arrangement) => void }) {
  const { first, selected, names, drawn, onChange } = props
  const [tab, setTab] = useState<EditorTab>('place')
  const [arrangement, setArrangement] = useState<Arrangement>(first)
  const [brush, setBrush] = useState<Brush>(usualBrush)
  return (
    <EditorControls
      arrangement={arrangement}
      initial={first}
      tab={tab}
      names={names}
      selected={selected}
      item={item}
      preview={drawn}
      brush={brush}
      onBrush={setBrush}
      onTab={setTab}
      onSelect={() => {}}
      onChange={(changed) => {
        setArrangement(changed)
        onChange(changed)
      }}
      onSettle={() => {}}
    />
  )
}

async function show(shown: Partial<Shown> = {}): Promise<{ now: () => Arrangement }> {
  const { first = testArrangement, selected = 0, drawn = preview } = shown
  const { names = ['You', 'Ada Vale'] } = shown
  let now: Arrangement = first
  await act(async () =>
    render(
      <LanguageProvider initial="en">
        <Controls {...{ first, selected, names, drawn }} onChange={(changed) => (now = changed)} />
      </LanguageProvider>,
    ),
  )
  return { now: () => now }
}

const shownTab = () => screen.getByRole('tab', { selected: true }).textContent
const focused = () => document.activeElement!

it('shows one part at a time, which the arrow keys go through, and one tab is a stop for Tab', async () => {
  await show()
  expect(shownTab()).toBe('People')
  expect(screen.getByRole('slider', { name: 'Size' })).toBeDefined()
  act(() => screen.getByRole('tab', { name: 'People' }).focus())
  fireEvent.keyDown(focused(), { key: 'ArrowRight' })
  expect(shownTab()).toBe('Scene')
  expect(screen.queryByRole('slider')).toBeNull()
  expect(screen.getByRole('tabpanel', { name: 'Scene' })).toBeDefined()
  fireEvent.keyDown(focused(), { key: 'End' })
  expect(shownTab()).toBe('Brush')
  expect(screen.getAllByRole('tab').map(({ tabIndex }) => tabIndex)).toEqual([-1, -1, -1, -1, 0])
})

it('changes scene, format and look by radio buttons that say what is chosen', async () => {
  const { now } = await show()
  fireEvent.click(screen.getByRole('tab', { name: 'Scene' }))
  act(() => screen.getByRole('tab', { name: 'Scene' }).focus())
  expect(screen.getByRole<HTMLInputElement>('radio', { name: 'As in your photo' }).checked).toBe(
    true,
  )
  fireEvent.click(screen.getByRole('radio', { name: 'Lobby café' }))
  fireEvent.click(screen.getByRole('radio', { name: 'Square 1:1' }))
  expect(now()).toMatchObject({ scene: 'cafe', aspect: '1:1' })
  fireEvent.click(screen.getByRole('tab', { name: 'Look' }))
  expect(screen.queryByRole('textbox')).toBeNull()
  fireEvent.click(screen.getByRole('radio', { name: 'Instant photo' }))
  fireEvent.change(screen.getByRole('textbox'), { target: { value: 'Hello' } })
  expect(now()).toMatchObject({ look: 'instant', caption: 'Hello' })
  fireEvent.click(screen.getByRole('radio', { name: 'Muted' }))
  expect(now(), 'no other look has room for one').toMatchObject({ look: 'muted', caption: '' })
})

it('leads a slider back to where it began, by a double press or the key Delete', async () => {
  const { now } = await show()
  const size = screen.getByRole('slider', { name: messages.measures.size })
  fireEvent.change(size, { target: { value: '0.5' } })
  expect(now().subjects[0]!.size).toBe(0.5)
  fireEvent.doubleClick(size)
  expect(now().subjects[0]!.size).toBe(testArrangement.subjects[0]!.size)
  fireEvent.change(size, { target: { value: '0.4' } })
  fireEvent.keyDown(size, { key: 'Delete' })
  expect(now().subjects[0]!.size).toBe(testArrangement.subjects[0]!.size)
})

it('leads a slider back to where the one who is chosen began', async () => {
  const [user, star] = testArrangement.subjects as [ArrangedSubject, ArrangedSubject]
  const first = { ...testArrangement, subjects: [user, { ...star, size: 0.25 }] }
  const { now } = await show({ first, selected: 1 })
  const size = screen.getByRole('slider', { name: messages.measures.size })
  fireEvent.change(size, { target: { value: '0.5' } })
  fireEvent.doubleClick(size)
  expect(now().subjects.map((subject) => subject.size)).toEqual([user.size, 0.25])
})

it('keeps what a brush does and how soft it is when its size is changed', async () => {
  await show()
  fireEvent.click(screen.getByRole('tab', { name: messages.brush }))
  fireEvent.click(screen.getByRole('button', { name: messages.brushKinds.restore }))
  const slider = (name: string) => screen.getByRole<HTMLInputElement>('slider', { name })
  fireEvent.change(slider(messages.softness), { target: { value: '0.8' } })
  fireEvent.change(slider(messages.measures.size), { target: { value: '0.3' } })
  expect([slider(messages.measures.size).value, slider(messages.softness).value]).toEqual([
    '0.3',
    '0.8',
  ])
  const chosen = screen.getByRole('button', { name: messages.brushKinds.restore })
  expect(chosen.getAttribute('aria-pressed')).toBe('true')
})

it('leads the brush’s sliders back to the usual brush', async () => {
  await show()
  fireEvent.click(screen.getByRole('tab', { name: messages.brush }))
  for (const name of [messages.measures.size, messages.softness]) {
    const slider = screen.getByRole<HTMLInputElement>('slider', { name })
    const usual = slider.value
    fireEvent.change(slider, { target: { value: '0.35' } })
    expect(slider.value).not.toBe(usual)
    fireEvent.doubleClick(slider)
    expect(slider.value, name).toBe(usual)
  }
})

it('takes no emoji into a caption while it is typed', async () => {
  const { now } = await show()
  fireEvent.click(screen.getByRole('tab', { name: dashboard.look }))
  fireEvent.click(screen.getByRole('radio', { name: dashboard.looks.instant }))
  const caption = screen.getByRole('textbox', { name: new RegExp(`^${messages.caption}`, 'u') })
  fireEvent.change(caption, { target: { value: 'Hi 👋🏽❤️🇪🇸 你好™' } })
  expect(now().caption).toBe('Hi  你好™')
})

/** What picture stands beside a choice. */
const pictureOf = (name: string) =>
  screen.getByRole('radio', { name }).parentElement!.querySelector('img')?.getAttribute('src')

it('shows the looks on the picture as it is now, without any, and the places that a scene has', async () => {
  const questions = holdQuestions()
  vi.spyOn(HTMLImageElement.prototype, 'decode').mockResolvedValue()
  await show()
  fireEvent.click(screen.getByRole('tab', { name: dashboard.scene }))
  expect(pictureOf('Lobby café')).toBe('/examples/cafe/backdrop-240.jpg')
  expect(pictureOf('As in your photo')).toBe('/natural.jpg')
  expect(pictureOf('Square 1:1')).toBe(testSelfie.thumbnailUrl)
  fireEvent.click(screen.getByRole('radio', { name: 'Lobby café' }))
  fireEvent.click(screen.getByRole('tab', { name: dashboard.look }))
  fireEvent.click(screen.getByRole('radio', { name: 'Muted' }))
  expect(pictureOf('Warm')).toBe('data:image/jpeg;base64,chosen')
  await waitFor(() => expect(questions).toHaveLength(1))
  expect(questions[0]!.body).toMatchObject({ arrangement: { scene: 'cafe', look: 'natural' } })
  await questions[0]!.answer({ ...answer, image: 'café' })
  expect(pictureOf('Warm')).toBe('data:image/jpeg;base64,café')
})

it('draws one’s own people before each place, and in their own as far as it is known', async () => {
  const backgrounds: unknown[] = []
  const drawImage = (image: unknown, ...at: unknown[]) => at.length === 4 && backgrounds.push(image)
  vi.spyOn(HTMLCanvasElement.prototype, 'getContext').mockImplementation(function open(
    this: HTMLCanvasElement,
  ) {
    return new Proxy(
      {},
      { get: (_, key) => (key === 'canvas' ? this : key === 'drawImage' ? drawImage : () => {}) },
    )
  } as never)
  await show()
  fireEvent.click(screen.getByRole('tab', { name: dashboard.scene }))
  const isDrawn = (name: string) =>
    screen.getByRole('radio', { name }).parentElement?.querySelector('canvas') !== null
  expect(sceneNames.map((scene) => isDrawn(dashboard.scenes[scene]))).not.toContain(false)
  // The five formats and the place that is chosen; the others stand behind as tiles.
  expect(backgrounds).toHaveLength(6)
  document.body.replaceChildren()
  const cafe = { ...testArrangement, scene: 'cafe' } as const
  await show({ drawn: { ...preview, arrangement: cafe } })
  fireEvent.click(screen.getByRole('tab', { name: dashboard.scene }))
  expect(['As in your photo', 'Lobby café'].map(isDrawn)).toEqual([false, true])
})

it('shows the formats first, with one’s own picture in each', async () => {
  await show()
  fireEvent.click(screen.getByRole('tab', { name: dashboard.scene }))
  const legends = [...document.querySelectorAll('legend')].map(({ textContent }) => textContent)
  expect(legends).toEqual([dashboard.format, dashboard.scene])
  const formats = ['Portrait 4:5', 'Square 1:1', 'Landscape 4:3', 'Wide 16:9', 'Story 9:16']
  const sizes = formats.map((name) => {
    const canvas = screen.getByRole('radio', { name }).parentElement?.querySelector('canvas')
    return [canvas?.width, canvas?.height]
  })
  expect(sizes).toEqual([
    [192, 240],
    [240, 240],
    [240, 180],
    [240, 135],
    [135, 240],
  ])
})

it('names who changes places with whom where there are three, and those two alone do', async () => {
  const [one, other] = testArrangement.subjects
  const first: Arrangement = {
    ...testArrangement,
    subjects: [
      { ...one!, x: 0.5 },
      { ...other!, x: 0.2 },
      { ...other!, x: 0.9 },
    ],
    frontToBack: [0, 1, 2],
  }
  const names = ['You', 'Ada Vale', 'Bo Lin']
  const { now } = await show({ first, names })
  fireEvent.click(screen.getByRole('button', { name: 'Swap You and Bo Lin' }))
  const places = now().subjects.map(({ x }) => Number(x.toFixed(3)))
  expect(places).toEqual([0.9, 0.2, 0.5])
  fireEvent.click(screen.getByRole('button', { name: 'Swap Bo Lin and You' }))
  expect(
    now().subjects.map(({ x }) => Number(x.toFixed(3))),
    'and back',
  ).toEqual([0.5, 0.2, 0.9])
})

it('flips who stays together about the middle of their heads', async () => {
  const heads = [
    { x: 100, y: 80, size: 50 },
    { x: 200, y: 80, size: 50 },
  ]
  const pair = { heads, uprightDegrees: 0 }
  const [one, other] = testArrangement.subjects
  const first = { ...testArrangement, subjects: [{ ...one!, x: 0.2, size: 0.16 }, other!] }
  const drawn = { ...preview, people: [pair] } as unknown as Preview
  const { now } = await show({ first, drawn })
  fireEvent.click(screen.getByRole('button', { name: 'Flip' }))
  expect(now().subjects[0]).toMatchObject({ mirrored: true, x: expect.closeTo(0.6) })
  fireEvent.click(screen.getByRole('button', { name: 'Swap sides' }))
  expect(now().subjects[0]!.x, 'as a whole').toBeCloseTo(0.8)
})
