import { describe, expect, test } from 'vitest'
import { createStampClient } from './provenance-settings.ts'

const url = 'https://stamps.example/tsr'
const request = Uint8Array.of(1, 2, 3)

function open(answer: (init: RequestInit) => Response | Promise<Response>) {
  const world = { now: 0, asked: 0, warnings: 0 }
  const ask = createStampClient(url, {
    now: () => world.now,
    log: { warn: () => void (world.warnings += 1) },
    fetch: async (_address, init = {}) => {
      world.asked += 1
      return await answer(init)
    },
  })
  return { world, ask }
}

describe('a time-stamping authority', () => {
  test('is asked as RFC 3161 says, without following it elsewhere', async () => {
    const { ask } = open((init) => {
      expect(init).toMatchObject({
        method: 'POST',
        redirect: 'error',
        headers: { 'content-type': 'application/timestamp-query' },
      })
      return new Response(Uint8Array.of(...new Uint8Array(init.body as ArrayBuffer), 4))
    })
    expect([...((await ask(request)) ?? [])]).toEqual([1, 2, 3, 4])
  })

  test.each([
    ['refuses', () => new Response('', { status: 500 })],
    ['answers endlessly', () => new Response(new Uint8Array(20_000))],
    ['is not there', () => Promise.reject(new TypeError('fetch failed'))],
  ])('that %s is left alone for a minute, with one line in the log', async (_name, answer) => {
    const { world, ask } = open(answer)
    expect([await ask(request), await ask(request)]).toEqual([undefined, undefined])
    world.now = 59_999
    await ask(request)
    expect([world.asked, world.warnings]).toEqual([1, 1])
    world.now = 60_000
    await ask(request)
    expect(world.asked).toBe(2)
    world.now = 119_999
    await ask(request)
    expect(world.asked, 'as it has failed again').toBe(2)
  })
})
