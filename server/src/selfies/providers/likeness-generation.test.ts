import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { auditBooks } from '../../ledger/credits/audit.ts'
import { readFirstSteps } from '../../operator/pages/first-steps-page.ts'
import { openOperator } from '../../testing/open-operator.ts'
import { openHostedApp } from '../../testing/open-hosted-app.ts'
import type { HostedApp } from '../../testing/open-hosted-app.ts'
import type { FaceDistances } from '../likeness/face-comparison.ts'
import { sweepGenerations } from '../sweep.ts'

const [first, second] = ['openai:gpt-image-2', 'google:gemini-3.1-flash-lite-image'] as const

let hosted: HostedApp
/** How far the person of the next pictures is from their photo. */
let distances: number[]
beforeAll(async () => {
  hosted = await openHostedApp({
    chain: `${first},${second}`,
    settings: { IMAGE_CIRCUIT_FAILURES: '1' },
  })
  hosted.app.context.faceComparison = {
    async compare(crops) {
      return apart(crops.length, distances.shift() ?? 0.2)
    },
    close() {},
  }
})
beforeEach(() => {
  distances = []
})
afterAll(() => hosted[Symbol.asyncDispose]())
afterEach(async () => {
  expect((await auditBooks(hosted.app.context.database)).findings).toEqual([])
})

/** The first half are people, the second their faces in the picture, the first of them as far as told. */
function apart(count: number, far: number): FaceDistances {
  const half = count / 2
  return Array.from({ length: count }, (_row, one) =>
    Array.from({ length: count }, (_column, other) =>
      Math.abs(one - other) !== half ? 0.9 : Math.min(one, other) === 0 ? far : 0.3,
    ),
  )
}

async function makeOne(...far: number[]) {
  distances = far
  const { engine } = hosted.app
  const face = { crop: new Uint8Array(1), headSizePx: 200 }
  // Of each request: what came back, the user's photo, the star's.
  engine.cropped = Array.from({ length: 4 }, () => [[face, face], [face], [face]]).flat()
  const { token } = await hosted.signIn()
  const known = (await hosted.attempts()).length
  const { status, body } = await hosted.generate(token)
  const attempts = (await hosted.attempts()).slice(known)
  return {
    outcome: [status, body.code, await hosted.balance(token)],
    attempts: attempts.map(({ provider, repetition, state, error_kind, likeness }) => [
      provider,
      repetition,
      error_kind ?? state,
      likeness,
    ]),
  }
}

describe('a hosted picture', () => {
  test('of the right people is theirs, and how alike they are is kept', async () => {
    const { outcome, attempts } = await makeOne(0.25)
    expect(outcome).toEqual([200, undefined, 0])
    expect(attempts).toEqual([['openai', 0, 'succeeded', expect.closeTo(0.7)]])
  })

  test('with a stranger’s face is asked for once more', async () => {
    const { outcome, attempts } = await makeOne(0.8, 0.2)
    expect(outcome).toEqual([200, undefined, 0])
    expect(attempts).toEqual([
      ['openai', 0, 'likeness_lost', expect.closeTo(0.2)],
      ['openai', 1, 'succeeded', expect.closeTo(0.7)],
    ])
  })

  test('with a stranger’s face twice goes to the next provider', async () => {
    const { outcome, attempts } = await makeOne(0.8, 0.9, 0.3)
    expect(outcome).toEqual([200, undefined, 0])
    expect(attempts.map(([provider, repetition, end]) => [provider, repetition, end])).toEqual([
      ['openai', 0, 'likeness_lost'],
      ['openai', 1, 'likeness_lost'],
      ['google', 0, 'succeeded'],
    ])
  })

  test('with strangers’ faces alone gives the credit back and says why', async () => {
    const { outcome, attempts } = await makeOne(0.8, 0.8, 0.8, 0.8)
    expect(outcome).toEqual([502, 'likeness_lost', 1])
    expect(attempts.length).toBe(4)
    // Nobody is left alone for it: the service works.
    const paused = await hosted.app.context.database
      .selectFrom('image_providers')
      .selectAll()
      .where('open_until', 'is not', null)
      .execute()
    expect(paused).toEqual([])
  })

  test('passes where the network is lost, with no figure', async () => {
    const working = hosted.app.context.faceComparison
    hosted.app.context.faceComparison = {
      compare: () => Promise.reject(new Error('the face network’s process was lost')),
      close() {},
    }
    const { outcome, attempts } = await makeOne()
    hosted.app.context.faceComparison = working
    expect(outcome).toEqual([200, undefined, 0])
    expect(attempts).toEqual([['openai', 0, 'succeeded', null]])
  })
})

test('LIKENESS_REPEATS=0 asks the next provider at once', async () => {
  const { settings } = hosted.app.context.images
  const repeatsMax = settings.likenessRepeatsMax
  settings.likenessRepeatsMax = 0
  const { attempts } = await makeOne(0.8, 0.3)
  settings.likenessRepeatsMax = repeatsMax
  expect(attempts.map(([provider, , end]) => [provider, end])).toEqual([
    ['openai', 'likeness_lost'],
    ['google', 'succeeded'],
  ])
})

test('the operator reads how alike people are, for thirty days', async () => {
  await makeOne(0.41)
  const operator = await openOperator(hosted.app)
  const page = async () => (await operator.get('/admin/selfies')).text
  expect(await page()).toContain(', likeness 59 %</td>')
  const { context } = hosted.app
  const kept = async () =>
    (await hosted.attempts()).filter(({ likeness }) => likeness !== null).length
  const keptAfter = async (days: number) => {
    hosted.app.passTime(days * 86_400_000)
    await sweepGenerations(context, new AbortController().signal)
    return kept()
  }
  const before = await kept()
  expect([await keptAfter(0), await keptAfter(29)]).toEqual([before, before])
  expect(await keptAfter(2)).toBe(0)
})

test('the first steps say that strangers’ faces pass where the packages are missing', async () => {
  const { context } = hosted.app
  const stepOf = async (likenessCheck: boolean) => {
    const images = { ...context.config.images, likenessCheck }
    const steps = await readFirstSteps({ ...context, config: { ...context.config, images } })
    return steps.find(({ name }) => name === 'Likeness')
  }
  expect(await stepOf(false)).toBeUndefined()
  expect(await stepOf(true)).toMatchObject({ level: 'warning' })
})
