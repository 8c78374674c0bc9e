import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { getPriority, tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { readConfig } from '../../config.ts'
import { generateForm } from '../../testing/generate-form.ts'
import { openTestApp } from '../../testing/open-test-app.ts'
import { readPersonPhoto } from '../../testing/test-photo.ts'
import { createModelProcess } from '@starside/engine/models/model-process.ts'
import { nsfwProcess, openNsfwClassifier } from '../load-classifier.ts'
import { judgeScores } from './nsfw-scores.ts'
import type { NsfwScores } from './nsfw-scores.ts'

const picture = new Uint8Array([1])
const never = new AbortController().signal
const defaults = readConfig({ NODE_ENV: 'test' }).safety.classifier.thresholds

describe('the thresholds', () => {
  const scores = { drawing: 0, hentai: 0, neutral: 0, porn: 0, sexy: 0 }

  test('refuse porn and hentai from 0.9 on, and nothing else, where nobody says otherwise', () => {
    expect(judgeScores({ ...scores, porn: 0.93 }, defaults)).toBe('porn 0.93')
    expect(judgeScores({ ...scores, hentai: 0.9 }, defaults)).toBe('hentai 0.90')
    expect(judgeScores({ ...scores, porn: 0.89 }, defaults)).toBeUndefined()
    expect(judgeScores({ ...scores, sexy: 0.99 }, defaults)).toBeUndefined()
    expect(judgeScores({ ...scores, neutral: 1 }, defaults)).toBeUndefined()
  })

  test('are the operator’s to set, between 0 and 1', () => {
    const read = (text: string) =>
      readConfig({ NODE_ENV: 'test', MODERATION_SEXY_FROM: text }).safety.classifier.thresholds
    expect(judgeScores({ ...scores, sexy: 0.96 }, read('0.95'))).toBe('sexy 0.96')
    expect(() => read('1.5')).toThrow(/MODERATION_SEXY_FROM/)
    expect(() => read('-1')).toThrow(/MODERATION_SEXY_FROM/)
  })
})

describe('the classifier’s process', () => {
  let folder: string
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'starside-nsfw-'))
  })
  afterAll(() => rm(folder, { recursive: true }))

  /** A stand-in for the model: what it does with a picture is written here. */
  async function open(onPicture: string) {
    const file = join(folder, `${crypto.randomUUID()}.mjs`)
    const scores = '{ drawing: 0, hentai: 0, neutral: 1, porn: 0, sexy: 0 }'
    await writeFile(
      file,
      `const answer = (id) => process.send({ type: 'answer', id, answer: ${scores} })
       process.on('message', ({ id, picture }) => { ${onPicture} })
       process.on('disconnect', () => process.exit(0))
       process.send({ type: 'ready' })`,
    )
    return createModelProcess<NsfwScores>({
      ...nsfwProcess,
      processFile: pathToFileURL(file),
    })
  }

  test('is started once for many pictures, and has nothing of the environment', async () => {
    const child = await open(
      'if (Object.keys(process.env).some((name) => name !== "NODE_CHANNEL_FD" && !name.startsWith("NODE_CHANNEL"))) process.exit(3); answer(id)',
    )
    await child.ask(picture, never)
    const { pid } = child
    expect((await child.ask(picture, never)).neutral).toBe(1)
    expect(child.pid).toBe(pid)
    child.close()
  })

  test('is asked nothing for who gave up while it started', async () => {
    const child = await open('answer(id)')
    const leaving = new AbortController()
    const asked = child.ask(picture, leaving.signal)
    await new Promise((resolve) => setImmediate(resolve))
    leaving.abort(new Error('left'))
    await expect(asked).rejects.toThrow('left')
    child.close()
  })

  test.each([
    ['hangs', 'if (picture[0] === 1) for (;;); answer(id)', /took too long/],
    ['dies', 'if (picture[0] === 1) process.exit(7); answer(id)', /ended with 7/],
    [
      'grows',
      'if (picture[0] === 1) process.send({ type: "memory", residentBytes: 1e12 }); else answer(id)',
      /too much memory/,
    ],
    [
      'fails',
      'if (picture[0] === 1) process.send({ type: "failure", id, message: "odd" }); else answer(id)',
      /the classifier failed: odd/,
    ],
  ] as const)('that %s costs that picture only', async (what, onPicture, words) => {
    const child = await open(onPicture)
    await child.start()
    // A picture's time is over when the test says so, and never because a machine is slow.
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    onTestFinished(() => void vi.useRealTimers())
    const bad = child.ask(picture, never)
    const good = child.ask(new Uint8Array([2]), never)
    if (what === 'hangs') {
      const settled = vi.fn()
      void bad.catch(settled)
      await vi.advanceTimersByTimeAsync(9_999)
      expect(settled).not.toHaveBeenCalled()
      await vi.advanceTimersByTimeAsync(1)
    }
    await expect(bad).rejects.toThrow(words)
    expect((await good).neutral).toBe(1)
    const { pid } = child
    vi.advanceTimersByTime(60_000)
    expect((await child.ask(new Uint8Array([2]), never)).neutral).toBe(1)
    expect(child.pid, 'what was answered has no limit any more').toBe(pid)
    child.close()
  })

  test('lets people’s calls go first, and its last words are bounded', async () => {
    const child = await open(
      `process.stderr.write('x'.repeat(5000) + ' no memory', () => process.exit(7))`,
    )
    await child.start()
    expect(getPriority(child.pid)).toBeGreaterThanOrEqual(10)
    const { message } = (await child.ask(picture, never).catch((error: unknown) => error)) as Error
    expect(message).toMatch(/ended with 7\. x+ no memory$/)
    expect(message.match(/x+ no memory/)?.[0]).toHaveLength(1_000)
  })

  test('may take half a minute to start, and memory of 768 MiB', async () => {
    const large = await open(
      'process.send({ type: "memory", residentBytes: 768 * 2 ** 20 }); answer(id)',
    )
    expect((await large.ask(picture, never)).neutral).toBe(1)
    expect(large.residentBytesMost).toBe(768 * 2 ** 20)
    large.close()
    const file = join(folder, 'never-ready.mjs')
    await writeFile(file, 'setInterval(() => {}, 1_000)')
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    onTestFinished(() => void vi.useRealTimers())
    const child = createModelProcess({ ...nsfwProcess, processFile: pathToFileURL(file) })
    const started = child.start()
    vi.advanceTimersByTime(29_999)
    expect(vi.getTimerCount()).toBe(1)
    vi.advanceTimersByTime(1)
    await expect(started).rejects.toThrow('did not start in time')
  })

  test('is not waited for once nobody wants the answer', async () => {
    const child = await open('if (picture[0] !== 1) answer(id)')
    const stop = new AbortController()
    const score = child.ask(picture, stop.signal)
    stop.abort()
    await expect(score).rejects.toThrow('abort')
    expect((await child.ask(new Uint8Array([2]), never)).neutral).toBe(1)
    child.close()
  })

  test('runs a program that is there, whether its packages are or not', () => {
    expect(existsSync(nsfwProcess.processFile)).toBe(true)
  })

  test('whose packages are missing stops the start with a sentence', async () => {
    const file = join(folder, 'missing.mjs')
    await writeFile(
      file,
      `import { createRequire } from 'node:module'
       createRequire(import.meta.url)('@tensorflow/tfjs-core')`,
    )
    const child = createModelProcess<NsfwScores>({
      ...nsfwProcess,
      processFile: pathToFileURL(file),
    })
    await expect(openNsfwClassifier({}, child)).rejects.toThrow(
      'needs its packages: npm ci --prefix server/nsfw-classifier',
    )
  })
})

const packages = new URL('../../../nsfw-classifier/node_modules/nsfwjs/', import.meta.url)

/*
 * The real model, where its packages are installed. There are no pictures here that it ought to
 * refuse: what is shown is that it lets people's photos pass, and that a score refuses.
 */
describe.skipIf(!existsSync(packages))('nsfwjs itself', () => {
  test('lets photos of dressed people pass', async () => {
    const classifier = await openNsfwClassifier(defaults)
    for (const name of ['mina-asakuri', 'elena-vassandri', 'henrik-solmark'] as const) {
      const photo = await readPersonPhoto(name)
      expect(await classifier.judge(photo, { kind: 'photo', signal: never }), name).toBeUndefined()
    }
  })

  test('survives bytes that are no picture', async () => {
    const classifier = await openNsfwClassifier(defaults)
    const rubbish = await readFile(new URL(import.meta.url))
    await expect(classifier.judge(rubbish, { kind: 'photo', signal: never })).rejects.toThrow(
      'the classifier failed',
    )
  })

  test('refuses before a credit is used, and the case is on record', async () => {
    await using app = await openTestApp({
      settings: { MODERATION_CLASSIFIER: 'nsfwjs', MODERATION_PORN_FROM: '0' },
    })
    const { token, userId } = await app.register()
    const held = await app.call('/api/user?action=consume-credits', { token, json: {} })
    const answer = await app.call(`/api/ai?action=generate&holdId=${held.body.holdId}`, {
      token,
      form: await generateForm(),
    })
    expect(answer).toMatchObject({ status: 422, body: { code: 'picture_refused' } })
    const { body } = await app.call('/api/user?action=profile', { token })
    expect(body.user.creditsBalance).toBe(1)
    const { rows } = await sql<{ act: string; detail: string }>`
      select act, detail from moderation_log where user_id = ${userId}
    `.execute(app.context.database)
    expect(rows).toEqual([
      { act: 'picture refused', detail: expect.stringMatching(/^nsfwjs: porn 0\.\d\d$/) },
    ])
  })
})
