import { utimes } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestApp } from '../testing/open-test-app.ts'
import type { TestApp } from '../testing/open-test-app.ts'
import { checkInputs, summariseInputChecks } from './check-inputs.ts'

let app: TestApp
beforeAll(async () => {
  app = await openTestApp({ worker: false })
})
afterAll(() => app[Symbol.asyncDispose]())

async function putInput(generationId: string, ageHours: number): Promise<string> {
  const key = `inputs/${generationId}/user-600x800.jpg`
  const { store, config, clock } = app.context
  await store.put(key, Buffer.from('a photo'), 'image/jpeg')
  const at = new Date(clock().getTime() - ageHours * 60 * 60_000)
  await utimes(join(config.dataFolder, 'objects', key), at, at)
  return key
}

test('an empty store passes', async () => {
  expect(await checkInputs(app.context)).toEqual({
    inputs: 0,
    oldestAgeSeconds: undefined,
    overdue: [],
  })
})

test('a photo older than a day is found, deleted and written down', async () => {
  app.passTime(1_000)
  const young = await putInput(crypto.randomUUID(), 23)
  const old = await putInput(crypto.randomUUID(), 25)
  const check = await checkInputs(app.context)
  expect(check).toMatchObject({ inputs: 2, overdue: [old] })
  expect(check.oldestAgeSeconds).toBeGreaterThanOrEqual(25 * 60 * 60 - 60)
  expect(await app.context.store.get(old)).toBeUndefined()
  expect(await app.context.store.get(young)).toBeDefined()
  expect(await summariseInputChecks(app.context, app.context.clock())).toEqual({
    checks: 2,
    failed: 1,
  })
})

test('the next check passes again', async () => {
  app.passTime(1_000)
  expect(await checkInputs(app.context)).toMatchObject({ inputs: 1, overdue: [] })
})
