import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { generationStages } from '@starside/contract/scenes.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { auditBooks } from '../ledger/credits/audit.ts'
import { beginSelfie, registerAt } from '../testing/begin-selfie.ts'
import { generateForm } from '../testing/generate-form.ts'
import { openTestDatabase } from '../testing/open-test-database.ts'
import { runProgram } from '../testing/run-program.ts'
import type { RunningProgram } from '../testing/run-program.ts'
import { readPersonPhoto } from '../testing/test-photo.ts'

/*
 * The real program with the real engine, killed in the middle of its work. Several people's selfies
 * are in different stages at that moment: queued, in the engine, being stored.
 */

let db: Awaited<ReturnType<typeof openTestDatabase>>
let dataFolder: string
beforeAll(async () => {
  db = await openTestDatabase(4)
  dataFolder = await mkdtemp(join(tmpdir(), 'starside-crash-'))
})
afterAll(async () => {
  await db[Symbol.asyncDispose]()
  await rm(dataFolder, { recursive: true, force: true })
})

const fromMatting = generationStages.slice(generationStages.indexOf('matting'))

const start = () => runProgram({ DATABASE_URL: db.url, DATA_DIR: dataFolder })

/** Four photos: one's own, a star's, a second star's, and a place. */
async function companyForm(): Promise<FormData> {
  const star = await readPersonPhoto()
  const form = await generateForm({
    userPhoto: star,
    presetId: undefined,
    celebrityPhoto: star,
    background: star,
    consent: 'true',
  })
  const second = Uint8Array.from(await readPersonPhoto('luca-marendi'))
  form.append('celebrityPhoto', new Blob([second], { type: 'image/jpeg' }), 'second.jpg')
  return form
}

async function begin(url: string, form?: FormData) {
  const token = await registerAt(url)
  return { token, generationId: await beginSelfie(url, token, form) }
}

async function ask(program: RunningProgram, token: string, path: string): Promise<any> {
  const response = await fetch(program.url + path, {
    headers: { authorization: `Bearer ${token}` },
  })
  return response.json()
}

test('kill -9 in the middle of the work ends in a paid picture or a refund, never neither, and leaves no photo of a second star or a place', async () => {
  const first = await start()
  const people = await Promise.all([
    begin(first.url, await companyForm()),
    begin(first.url),
    begin(first.url, await companyForm()),
  ])
  await expect
    .poll(
      async () =>
        db.database
          .selectFrom('generations')
          .select('id')
          .where('stage', 'in', fromMatting)
          .execute(),
      { interval: 20 },
    )
    .not.toEqual([])
  await first.kill()

  const second = await start()
  try {
    for (const { token, generationId } of people) {
      const state = async () =>
        (await ask(second, token, `/api/generations/${generationId}`)).generation.state
      await expect.poll(state, { interval: 200 }).not.toBe('running')
      const { user } = await ask(second, token, '/api/user?action=profile')
      expect(user.creditsBalance).toBe((await state()) === 'done' ? 0 : 1)
    }
    expect((await auditBooks(db.database)).findings).toEqual([])
    await expect
      .poll(async () =>
        (await readdir(join(dataFolder, 'objects', 'inputs'), { recursive: true })).filter((name) =>
          name.includes('.'),
        ),
      )
      .toEqual([])
  } finally {
    expect(await second.stop()).toBe(0)
  }
})
