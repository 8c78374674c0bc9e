import { describe, expect, test, vi } from 'vitest'
import { testArrangement, testUser } from '../testing/test-arrangement.ts'
import { changeDepth, changeSubject, subjectAt, swapSides } from './adjust-arrangement.ts'
import { drawWithAlpha } from '../testing/draw-with-alpha.ts'
import { reduceEditor, type EditorAction, type EditorState } from './use-editing.ts'

const first = testArrangement
const now = ({ steps, at }: EditorState) => steps[at]
const warmer = (warmth: number) => ({ ...first, warmth })
const after = (...actions: EditorAction[]): EditorState =>
  actions.reduce(reduceEditor, { steps: [first], at: 0, lastChange: null })
const change = (warmth: number, of: string | null = null): EditorAction => ({
  type: 'change',
  arrangement: warmer(warmth),
  of,
})

describe('the editor', () => {
  test('takes steps back and does them again', () => {
    const state = after(change(0.1), change(0.2), { type: 'undo' })
    expect(now(state)).toEqual(warmer(0.1))
    expect(now(reduceEditor(state, { type: 'redo' }))).toEqual(warmer(0.2))
    expect(now(reduceEditor(state, { type: 'undo' }))).toEqual(first)
  })

  test('has nothing to take back at first, nor to do again', () => {
    expect(now(after({ type: 'undo' }))).toBe(first)
    expect(now(after({ type: 'redo' }))).toBe(first)
    expect(after({ type: 'start-over' }).steps).toEqual([first])
  })

  test('takes what changes nothing as no step', () => {
    const same = { type: 'change', arrangement: first, of: 'drag' } as const
    expect(after(same).steps).toEqual([first])
  })

  test('takes one move of a slider as one step, and the next move as another', () => {
    const moved = after(change(0.1, 'warmth'), change(0.2, 'warmth'), change(0.3, 'warmth'))
    expect(now(reduceEditor(moved, { type: 'undo' }))).toEqual(first)
    const again = [change(0.4, 'warmth'), { type: 'undo' }] as const
    const settled = [{ type: 'settle' } as const, ...again].reduce(reduceEditor, moved)
    expect(now(settled)).toEqual(warmer(0.3))
  })

  test('forgets what was taken back once something else is done', () => {
    const state = after(change(0.1), { type: 'undo' }, change(0.2), { type: 'redo' })
    expect(now(state)).toEqual(warmer(0.2))
  })

  test('takes what is moved after a step was taken back as a step of its own', () => {
    const state = after(change(0.1), change(0.2, 'warmth'), { type: 'undo' }, change(0.3, 'warmth'))
    expect(now(reduceEditor(state, { type: 'undo' }))).toEqual(warmer(0.1))
  })

  test('takes back the last hundred steps, and none before', () => {
    const changes = Array.from({ length: 150 }, (_, n) => change(n / 1_000))
    const undo = Array.from({ length: 150 }, () => ({ type: 'undo' }) as const)
    expect(now(after(...changes, ...undo))).toEqual(warmer(0.049))
  })

  test('starts over, which can be taken back', () => {
    const state = after(change(0.1), change(0.2), { type: 'start-over' })
    expect(now(state)).toEqual(first)
    expect(now(reduceEditor(state, { type: 'undo' }))).toEqual(warmer(0.2))
  })
})

describe('an arrangement', () => {
  test('keeps everybody within what can be made', () => {
    const { subjects } = changeSubject(first, 1, { x: 3, y: -1, size: 9, turnDegrees: -90 })
    expect(subjects[1]).toMatchObject({ x: 1, y: 0, size: 0.7, turnDegrees: -15 })
    expect(subjects[0]).toEqual(testUser)
  })

  test('swaps sides and brings somebody to the front', () => {
    expect(swapSides(first, [], [0, 1]).subjects.map(({ x }) => x)).toEqual([0.65, 0.35])
    expect(changeDepth(first, 1).frontToBack).toEqual([1, 0])
  })

  test('is taken by the nearest head, the larger one further away', () => {
    expect(subjectAt(first, [], { x: 0.1, y: 0.9 }).index).toBe(0)
    expect(subjectAt(first, [], { x: 0.7, y: 0.5 }).index).toBe(1)
    const grown = changeSubject(first, 0, { size: 0.7 })
    expect(subjectAt(grown, [], { x: 0.53, y: 0.4 }).index).toBe(0)
  })

  test.each([
    [255, 0],
    [0, 1],
  ])('is taken by who is seen there, before a nearer head: %i', (alpha, index) => {
    drawWithAlpha(alpha)
    const shown = { heads: [{ x: 50, y: 60, size: 40 }], uprightDegrees: 0, foot: null }
    const box = { left: -1, top: -1, right: 1, bottom: 1 }
    const person = { ...shown, box, widthPx: 100, heightPx: 200, image: new Image() }
    expect(subjectAt(first, [person, person], { x: 0.7, y: 0.5 }).index).toBe(index)
    vi.restoreAllMocks()
  })
})
