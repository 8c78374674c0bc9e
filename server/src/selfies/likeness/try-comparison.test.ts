import { expect, test } from 'vitest'
import { readConfig } from '../../config.ts'
import {
  openFaceComparison,
  comparesFaces,
  findLikenessFault,
  tryComparison,
} from './face-comparison.ts'
import type { FaceDistances } from './face-comparison.ts'

test('faces are compared where a hosted model may make the picture, unless that is switched off', () => {
  const compares = (chain: string, check: string) =>
    comparesFaces(
      readConfig({
        NODE_ENV: 'test',
        IMAGE_PROVIDERS: chain,
        LIKENESS_CHECK: check,
        OPENAI_API_KEY: 'key',
      }),
    )
  expect(compares('openai:gpt-image-2', 'on')).toBe(true)
  expect(compares('compositor,openai:gpt-image-2', 'on')).toBe(true)
  expect(compares('compositor', 'on')).toBe(false)
  expect(compares('openai:gpt-image-2', 'off')).toBe(false)
})

/** A network's process that answers with what it was asked, and what became of it. */
function openNetwork(start: () => Promise<void> = async () => {}) {
  const asked: [bytes: number[], signal: AbortSignal | undefined][] = []
  const states: string[] = []
  const network = {
    async start() {
      await start()
      states.push('started')
    },
    async ask(crops: Uint8Array, signal?: AbortSignal): Promise<FaceDistances> {
      asked.push([[...crops], signal])
      return [[crops.length]]
    },
    close: () => void states.push('closed'),
  }
  return { asked, states, open: () => openFaceComparison(network as never) }
}

test('a comparison asks its process for all crops at once, and closes it', async () => {
  const { asked, states, open } = openNetwork()
  const comparison = await open()
  const { signal } = new AbortController()
  expect(await comparison.compare([Uint8Array.of(1, 2), Uint8Array.of(3)], signal)).toEqual([[3]])
  expect(asked).toEqual([[[1, 2, 3], signal]])
  comparison.close()
  expect(states).toEqual(['started', 'closed'])
})

test('a trial of the network leaves no process behind, and a network that runs stays open', async () => {
  const tried = openNetwork()
  expect(await findLikenessFault(tried.open)).toBeUndefined()
  expect(tried.states).toEqual(['started', 'closed'])
  const kept = openNetwork()
  const { comparison, fault } = await tryComparison(kept.open)
  expect([comparison === undefined, fault, kept.states]).toEqual([false, undefined, ['started']])
})

test.for<[string, unknown, string]>([
  [
    'whose packages are missing names the command that installs them',
    new Error('the face network: MODULE_NOT_FOUND: Cannot find module'),
    'its packages are missing: npm ci --ignore-scripts --prefix server/face-network',
  ],
  [
    'that does not run says why',
    new Error('WebAssembly does not start'),
    'the face network does not run here: WebAssembly does not start',
  ],
  ['that fails without an error says so too', 7, 'the face network does not run here: 7'],
])('a network %s', async ([, reason, sentence]) => {
  const { open } = openNetwork(() => Promise.reject(reason))
  expect(await tryComparison(open)).toEqual({ comparison: undefined, fault: sentence })
  expect(await findLikenessFault(open)).toBe(sentence)
})
