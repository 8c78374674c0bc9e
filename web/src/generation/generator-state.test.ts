import type { GenerationItem } from '@starside/contract/generation.ts'
import { describe, expect, it } from 'vitest'
import {
  initialGeneratorState,
  reduceGenerator,
  type GeneratorAction,
  type GeneratorState,
  type Problem,
} from './generator-state.ts'

const running = { stage: 'faces', startedAtMs: 5, expectedMs: 3_000 } as const
const problem = { kind: 'verification' } as const
const old = { imageUrl: '/old.jpg', item: null, fresh: false }
const made = { imageUrl: '/new.jpg', item: null, fresh: true }
const item = { imageUrl: '/new.jpg?again', generationId: 'g1' } as unknown as GenerationItem

const after = (...actions: GeneratorAction[]): GeneratorState =>
  actions.reduce(reduceGenerator, initialGeneratorState)

const begin = { type: 'begin' } as const
const uploading = { stage: null, startedAtMs: 4, expectedMs: null }
const upload = { type: 'progress', running: uploading } as const
const progress = { type: 'progress', running } as const

describe('the generator', () => {
  it.each<[string, GeneratorAction[], Partial<GeneratorState>]>([
    ['is busy before anything is sent', [begin], { phase: 'preparing', running: null }],
    ['shows an upload without a stage', [begin, upload], { phase: 'running', running: uploading }],
    ['shows the stages of the server', [begin, upload, progress], { phase: 'running', running }],
    [
      'stops silently when the credit is refused',
      [begin, { type: 'stop', problem: null }],
      { phase: 'idle', problem: null, outcome: null },
    ],
    [
      'stops with the reason',
      [begin, { type: 'stop', problem }],
      { phase: 'idle', problem, outcome: null },
    ],
    [
      'ends with a picture',
      [begin, upload, progress, { type: 'finish', picture: made }],
      {
        phase: 'idle',
        running: null,
        picture: made,
        outcome: { success: true, imageUrl: '/new.jpg' },
      },
    ],
    [
      'fails while it uploads',
      [begin, upload, { type: 'fail', problem }],
      { phase: 'idle', running: null, problem, outcome: { success: false, imageUrl: null } },
    ],
    [
      'fails while it runs',
      [progress, { type: 'fail', problem }],
      { phase: 'idle', running: null, problem, outcome: { success: false, imageUrl: null } },
    ],
    [
      'forgets a problem when it begins again',
      [begin, { type: 'stop', problem }, begin],
      { phase: 'preparing', problem: null },
    ],
    [
      'lets a problem be dismissed',
      [{ type: 'fail', problem }, { type: 'dismiss' }],
      { problem: null },
    ],
    ['restores an earlier picture', [{ type: 'restore', picture: old }], { picture: old }],
    [
      'keeps a new picture when an earlier one is restored late',
      [
        { type: 'finish', picture: made },
        { type: 'restore', picture: old },
      ],
      { picture: made },
    ],
    [
      'keeps an old picture while the next one is made',
      [{ type: 'restore', picture: old }, begin, upload],
      { picture: old },
    ],
    [
      'takes over what became of the picture',
      [
        { type: 'finish', picture: made },
        { type: 'show-item', item },
      ],
      { picture: { imageUrl: '/new.jpg?again', item, fresh: false } },
    ],
    [
      'shows the picture that a refusal speaks of in the place of another',
      [
        { type: 'finish', picture: made },
        { type: 'fail', problem },
        { type: 'show-item', item },
      ],
      { picture: { imageUrl: '/new.jpg?again', item, fresh: false }, problem },
    ],
    [
      'removes a picture whose address no longer works',
      [{ type: 'restore', picture: old }, { type: 'remove-picture' }],
      { picture: null },
    ],
  ])('%s', (_sentence, actions, expected) => {
    expect(after(...actions)).toMatchObject(expected)
  })

  it('tells the end of every try as something new', () => {
    const once = after({ type: 'fail', problem })
    const twice = reduceGenerator(once, { type: 'fail', problem })
    expect(twice.outcome).not.toBe(once.outcome)
  })
})

it('another choice puts away what is outdated by it, but not that an upload was cut off', () => {
  const failed = (why: Problem) =>
    reduceGenerator(initialGeneratorState, { type: 'fail', problem: why })
  expect(reduceGenerator(failed({ kind: 'verification' }), { type: 'outdate' }).problem).toBeNull()
  const cutOff = failed({ kind: 'interruption' })
  expect(reduceGenerator(cutOff, { type: 'outdate' })).toBe(cutOff)
  expect(reduceGenerator(cutOff, { type: 'dismiss' }).problem).toBeNull()
})
