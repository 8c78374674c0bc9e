import sharp from 'sharp'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { OperatorCommands, OperatorParts } from '../../operator/commands/operator-command.ts'
import { actCommands } from '../../operator/commands/act-commands.ts'
import { listCommands } from '../../operator/commands/list-commands.ts'
import { generateForm } from '../../testing/generate-form.ts'
import { openTestApp } from '../../testing/open-test-app.ts'
import type { TestApp } from '../../testing/open-test-app.ts'
import { makeDoneGeneration } from '../../testing/make-generation.ts'
import { makeTestSelfie } from '../../testing/scripted-engine.ts'
import { readPersonPhoto } from '../../testing/test-photo.ts'
import { fileReport } from './routes.ts'
import { findRow } from '../../platform/db/rows.ts'
import { removePicture } from './remove-picture.ts'
import { resolveReport } from './reports.ts'
import { watchReports } from './watch-reports.ts'
import type { Mail } from '../../platform/mail/mailer.ts'
import { runWords } from '../../testing/call-command.ts'

let app: TestApp
let printed: string[] = []
beforeAll(async () => {
  app = await openTestApp({ settings: { RATE_LIMITS: 'on', REPORTS_PER_DAY: '30' } })
})
afterAll(() => app[Symbol.asyncDispose]())

const file = (report: Record<string, unknown>) =>
  app.call('/api/reports', {
    json: {
      reason: 'depicts_me',
      contact: 'me@example.test',
      signature: 'Robin Example',
      goodFaith: true,
      ...report,
    },
  })

const commands: OperatorCommands = { ...listCommands, ...actCommands }

async function run(name: string, ...words: string[]): Promise<number | undefined> {
  printed = []
  const { config, database, clock } = app.context
  const parts: OperatorParts = {
    config,
    database,
    databaseUrl: '',
    clock,
    print: (line) => printed.push(line),
  }
  return runWords(commands[name], parts, words)
}

let starTurns = 0

/** Somebody's shared selfie, made of real photos and a star's photo of its own. */
async function shareSelfie(userPhoto: Buffer, result: Buffer) {
  const person = await app.register()
  app.engine.next.push(() => makeTestSelfie(result))
  const form = await generateForm({
    userPhoto,
    presetId: undefined,
    celebrityPhoto: await turn(await readPersonPhoto('mina-asakuri'), (starTurns += 35)),
    consent: 'true',
  })
  const made = await app.call('/api/ai?action=generate', { token: person.token, form })
  expect(made.status).toBe(200)
  const { generationId, imageUrl } = made.body.generation
  const shared = await app.call(`/api/generations/${generationId}/share`, {
    method: 'POST',
    token: person.token,
  })
  return { ...person, generationId, imageUrl, shareUrl: shared.body.generation.shareUrl as string }
}

const turn = (photo: Buffer, degrees: number) => sharp(photo).rotate(degrees).jpeg().toBuffer()
const crop = (photo: Buffer, left: number) =>
  sharp(photo).extract({ left, top: 40, width: 500, height: 640 }).jpeg().toBuffer()

describe('a report', () => {
  test('is taken with the deadline of 48 hours and mailed to the operator', async () => {
    const before = app.context.clock().getTime()
    const { status, body } = await file({
      link: `https://elsewhere.example/?ref=ABCDEFGH&selfie=${'a'.repeat(22)}`,
      details: 'This is me.',
    })
    expect(status).toBe(201)
    expect(body).toEqual({
      success: true,
      reportId: expect.stringMatching(/^[0-9a-f-]{36}$/),
      dueAt: expect.any(String),
    })
    const hours = (new Date(body.dueAt).getTime() - before) / 3_600_000
    expect(hours).toBeGreaterThan(47.9)
    expect(hours).toBeLessThanOrEqual(48.01)
    const mail = app.mails.find(({ text }) => text.includes(body.reportId))
    expect(mail?.to).toBe('hello@selfie.example')
    expect(mail?.text).not.toContain('This is me.')
  })

  test('is taken with a contact and a signature of three letters', async () => {
    const short = { link: crypto.randomUUID(), contact: 'ada', signature: 'Ada' }
    expect((await file(short)).status).toBe(201)
  })

  test.for([
    ['a link of nothing', { link: 'that one picture' }, 'report_link_unknown'],
    ['no signature', { link: crypto.randomUUID(), signature: ' ' }, 'report_incomplete'],
    ['no contact', { link: crypto.randomUUID(), contact: ' ' }, 'report_incomplete'],
    ['a contact of spaces', { link: crypto.randomUUID(), contact: '   ' }, 'report_incomplete'],
    ['a contact of two letters', { link: crypto.randomUUID(), contact: 'me' }, 'report_incomplete'],
    ['a signature of two', { link: crypto.randomUUID(), signature: 'me' }, 'report_incomplete'],
    [
      'no statement of good faith',
      { link: crypto.randomUUID(), goodFaith: false },
      'report_incomplete',
    ],
    [
      'a reason of its own making',
      { link: crypto.randomUUID(), reason: 'ugly' },
      'invalid_request',
    ],
    ['a novel', { link: crypto.randomUUID(), details: 'x'.repeat(2_001) }, 'invalid_request'],
  ] as const)('with %s is refused', async ([, report, code]) => {
    expect(await file(report)).toMatchObject({ status: 400, body: { code } })
  })

  test('is answered while the mail server keeps silent', async () => {
    const { promise: silence, resolve: take } = Promise.withResolvers<void>()
    const mailer = { ...app.context.mailer, send: () => silence }
    const link = `${app.context.config.publicUrl}/?selfie=${'a'.repeat(22)}`
    const input = {
      reason: 'depicts_me',
      link,
      contact: 'me@example.test',
      signature: 'Robin Example',
      behalf: 'myself',
      goodFaith: true,
    } as const
    const { reportId } = await fileReport({ ...app.context, mailer }, input, 'en')
    expect(await findRow(app.context.database, 'reports', { id: reportId })).toMatchObject({
      outcome: null,
    })
    take()
  })

  test('tells nobody whether a picture exists', async () => {
    const known = await shareSelfie(
      await readPersonPhoto('elena-vassandri'),
      await crop(await readPersonPhoto('elena-vassandri'), 60),
    )
    const [real, invented] = [
      await file({ link: known.generationId }),
      await file({ link: crypto.randomUUID() }),
    ]
    expect(Object.keys(real.body)).toEqual(Object.keys(invented.body))
    expect(real.status).toBe(invented.status)
  })

  test('can be kept, once, with a note', async () => {
    const { body } = await file({ link: crypto.randomUUID(), reason: 'other' })
    expect(await run('reports resolve', body.reportId, '--outcome', 'kept')).toBe(2)
    expect(
      await run('reports resolve', body.reportId, '--outcome', 'kept', '--note', 'A joke'),
    ).toBe(0)
    expect(
      await run('reports resolve', body.reportId, '--outcome', 'kept', '--note', 'Again'),
    ).toBe(1)
    expect(await run('reports show', body.reportId)).toBe(0)
    expect(printed.join('\n')).toMatch(
      /report filed {2}other[\s\S]*report resolved {2}kept: A joke/,
    )
  })

  test('is listed by its deadline, and as overdue when that has passed', async () => {
    await using later = await openTestApp({ worker: false })
    await later.call('/api/reports', {
      json: {
        link: crypto.randomUUID(),
        reason: 'minor',
        contact: '+1 555 0100',
        signature: 'Robin Example',
        behalf: 'somebody_else',
        goodFaith: true,
      },
    })
    later.passTime(49 * 60 * 60_000)
    const lines: string[] = []
    const { config, database, clock } = later.context
    await runWords(
      commands['reports list'],
      { config, database, clock, databaseUrl: '', print: (line) => lines.push(line) },
      [],
    )
    expect(lines.join()).toMatch(/OVERDUE {2}minor/)
  })
})

describe('a reporter who left an e-mail address', () => {
  const decide = (id: string, outcome: string) =>
    run('reports resolve', id, '--outcome', outcome, '--note', 'Looked at')
  const watch = () => watchReports(app.context)

  test('is told what was decided, once, in their language, and nothing of the note', async () => {
    const { body } = await file({ link: crypto.randomUUID() })
    await watch()
    expect(app.mails.filter(({ text }) => text.includes(body.reportId))).toHaveLength(1)
    await app.context.database
      .updateTable('reports')
      .set({ language: 'es' })
      .where('id', '=', body.reportId)
      .execute()
    await decide(body.reportId, 'kept')
    await watch()
    await watch()
    const [, answer, ...more] = app.mails.filter(({ text }) => text.includes(body.reportId))
    expect(more).toEqual([])
    expect(answer).toMatchObject({ to: 'me@example.test', subject: 'Tu denuncia a Starside' })
    expect(answer?.text).toContain('la mantenemos')
    expect(answer?.text).not.toContain('Looked at')
  })

  test('is answered there however many spaces were typed about it', async () => {
    const { body } = await file({ link: crypto.randomUUID(), contact: ' ada@example.test ' })
    await decide(body.reportId, 'kept')
    await watch()
    const mails = app.mails.filter(({ text }) => text.includes(body.reportId))
    expect(mails.map(({ to }) => to)).toContain('ada@example.test')
  })

  test('is answered by the next run where the mail server failed, and others not at all', async () => {
    const reports = [
      await file({ link: crypto.randomUUID() }),
      await file({ link: crypto.randomUUID(), contact: '+1 555 0100' }),
    ]
    for (const { body } of reports) await decide(body.reportId, 'not_found')
    const failing = { ...app.context.mailer, send: () => Promise.reject(new Error('down')) }
    await expect(watchReports({ ...app.context, mailer: failing })).rejects.toThrow('down')
    const before = app.mails.length
    await watch()
    expect(app.mails.slice(before).map(({ to }) => to)).toEqual(['me@example.test'])
  })

  test.each([
    ['for good', 550, 0],
    ['for now', 450, 1],
  ])('whose address is refused %s keeps no other from the answer', async (_how, cause, later) => {
    const contacts = ['gone@example.test', 'here@example.test']
    for (const contact of contacts) {
      const { body } = await file({ link: crypto.randomUUID(), contact })
      await decide(body.reportId, 'not_found')
    }
    const send = async (mail: Mail) => {
      if (mail.to === contacts[0]) throw new Error('refused', { cause })
      await app.context.mailer.send(mail)
    }
    const before = app.mails.length
    await watchReports({ ...app.context, mailer: { ...app.context.mailer, send } })
    expect(app.mails.slice(before).map(({ to }) => to)).toEqual([contacts[1]])
    await watch()
    expect(app.mails.length - before - 1).toBe(later)
  })
})

test('the operator gets one mail when an open report’s time runs out', async () => {
  await using later = await openTestApp({ worker: false })
  const { body } = await later.call('/api/reports', {
    json: {
      link: crypto.randomUUID(),
      reason: 'intimate',
      contact: 'me@example.test',
      signature: 'Robin Example',
      goodFaith: true,
    },
  })
  const decided = await later.call('/api/reports', {
    json: {
      link: crypto.randomUUID(),
      reason: 'other',
      contact: 'no address',
      signature: 'Robin Example',
      goodFaith: true,
    },
  })
  const { reportId } = decided.body as { reportId: string }
  await resolveReport(later.context, { reportId, outcome: 'kept', note: 'fine' })
  const alarms = () =>
    later.mails.filter(({ subject }) => subject.startsWith('1 report to decide by'))
  const before = alarms().length
  later.passTime(35 * 60 * 60_000)
  await watchReports(later.context)
  expect(alarms()).toHaveLength(before)
  later.passTime(2 * 60 * 60_000)
  const told = await later.call('/api/reports', {
    json: {
      link: crypto.randomUUID(),
      reason: 'other',
      contact: 'you@example.test',
      signature: 'Robin Example',
      goodFaith: true,
    },
  })
  const decision = { reportId: told.body.reportId, outcome: 'kept', note: 'fine' } as const
  await resolveReport(later.context, decision)
  const { mailer } = later.context
  const send = async (mail: Mail) => {
    if (mail.to !== 'you@example.test') throw new Error('the operator has no mailbox')
    await mailer.send(mail)
  }
  const failing = watchReports({ ...later.context, mailer: { ...mailer, send } })
  await expect(failing).rejects.toThrow('the operator has no mailbox')
  expect(later.mails.at(-1)?.to, 'answered all the same').toBe('you@example.test')
  await watchReports(later.context)
  await watchReports(later.context)
  expect(alarms()).toHaveLength(before + 1)
  expect(alarms().at(-1)?.text).toContain(body.reportId)
  expect(alarms().at(-1)?.text).not.toContain(reportId)
})

describe('a removed picture', () => {
  test('is gone at once, cannot come back in any disguise, and every step is on record', async () => {
    const userPhoto = await readPersonPhoto('henrik-solmark')
    const result = await crop(userPhoto, 100)
    const victim = await shareSelfie(userPhoto, result)
    const { body: report } = await file({ link: victim.shareUrl, reason: 'intimate' })
    const shareId = new URL(victim.shareUrl).searchParams.get('selfie')
    const shared = `/api/shares/${shareId}/picture.jpg`
    expect((await app.call(shared)).status).toBe(200)

    expect(
      await run('reports resolve', report.reportId, '--outcome', 'removed', '--note', 'No consent'),
    ).toBe(0)
    expect(printed[0]).toMatch(/^Removed\. 3 hashes are blocked\./)
    expect((await app.call(shared)).status).toBe(404)
    expect((await app.call(victim.imageUrl)).status).toBe(404)
    const restored = await app.call(`/api/generations/${victim.generationId}/restore`, {
      method: 'POST',
      token: victim.token,
    })
    expect(restored.status).toBe(404)
    const left = []
    for await (const { key } of app.context.store.list('pictures')) {
      if (key.includes(victim.generationId)) left.push(key)
    }
    expect(left).toEqual([])

    // The photos, in other clothes.
    const disguises = [
      await sharp(userPhoto).resize(500).jpeg({ quality: 40 }).toBuffer(),
      await sharp(userPhoto).flop().webp({ quality: 60 }).toBuffer(),
      await sharp(userPhoto).greyscale().png().toBuffer(),
      await sharp(result).resize(900).jpeg({ quality: 60 }).toBuffer(),
    ]
    for (const disguise of disguises) {
      const { token } = await app.register()
      const refused = await app.call('/api/ai?action=generate', {
        token,
        form: await generateForm({ userPhoto: disguise }),
      })
      expect(refused).toMatchObject({
        status: 422,
        body: { code: 'photo_blocked', photo: 'user' },
      })
      const { body } = await app.call('/api/user?action=profile', { token })
      expect(body.user.creditsBalance).toBe(1)
    }

    // The same picture, made again of other photos: nothing is shown and the credit comes back.
    const { token } = await app.register()
    app.engine.next.push(() => makeTestSelfie(result))
    const again = await app.call('/api/ai?action=generate', {
      token,
      form: await generateForm({ userPhoto: await readPersonPhoto('mina-asakuri') }),
    })
    expect(again).toMatchObject({ status: 422, body: { code: 'picture_refused' } })
    expect((await app.call('/api/user?action=profile', { token })).body.user.creditsBalance).toBe(1)

    expect(await run('reports show', report.reportId)).toBe(0)
    expect(printed.join('\n')).toMatch(/report filed[\s\S]*picture removed[\s\S]*report resolved/)
  })

  test('is found among its copies', async () => {
    const photo = await turn(await readPersonPhoto('elena-vassandri'), 90)
    const result = await turn(await readPersonPhoto('mina-asakuri'), 90)
    const first = await shareSelfie(photo, result)
    const copy = await sharp(result).jpeg({ quality: 50 }).toBuffer()
    const second = await shareSelfie(
      await turn(await readPersonPhoto('elena-vassandri'), 180),
      copy,
    )
    expect(
      await run('picture remove', first.generationId, '--reason', 'Asked for', '--copies'),
    ).toBe(0)
    expect(printed.join()).toMatch(`Removed too, as they look the same: ${second.generationId}.`)
    expect((await app.call(second.imageUrl)).status).toBe(404)
  })

  test('comes back in none of its versions, each counted once, and names no copy that is gone', async () => {
    const { context } = app
    const { database } = context
    const hash = { picture_hash: '4242' }
    const { generationId } = await makeDoneGeneration(database, { row: hash })
    await makeDoneGeneration(database, { row: { ...hash, deleted_at: context.clock() } })
    const copy = await makeDoneGeneration(database, { row: hash })
    const small = `variations/${generationId}/1-preview.jpg`
    // The best version is the picture itself.
    for (const [position, picture_hash] of ['4242', '-777'].entries()) {
      await database
        .insertInto('variations')
        .values({
          generation_id: generationId,
          position: position + 1,
          source: 'made',
          arrangement: null,
          clean_preview_key: small,
          watermarked_preview_key: small,
          width_px: 1,
          height_px: 1,
          picture_hash,
          created_at: context.clock(),
        })
        .execute()
    }
    const removed = await removePicture(context, { generationId, reason: 'Asked for' })
    expect(removed).toMatchObject({ identical: [copy.generationId], copies: [], blocked: 2 })
    const { rows } = await sql<{ hash: string }>`
      select hash from blocked_pictures where generation_id = ${generationId}`.execute(database)
    expect(rows.map((row) => row.hash).toSorted()).toEqual(['-777', '4242'])
  })

  test('that never was gives an error', async () => {
    expect(await run('picture remove', crypto.randomUUID(), '--reason', 'x')).toBe(1)
    expect(await run('picture remove', "'; drop table users", '--reason', 'x')).toBe(1)
    expect(await run('picture remove', crypto.randomUUID())).toBe(2)
  })
})

describe('a suspended account', () => {
  test('is shut with its links, and opens again', async () => {
    const photo = await turn(await readPersonPhoto('mina-asakuri'), 180)
    const person = await shareSelfie(photo, await turn(await readPersonPhoto('henrik-solmark'), 90))
    const { rows } = await sql<{ email: string }>`
      select email from users where id = ${person.userId}
    `.execute(app.context.database)
    const email = rows[0]?.email ?? ''
    const shareId = new URL(person.shareUrl).searchParams.get('selfie')
    const shared = async () => (await app.call(`/api/shares/${shareId}/picture.jpg`)).status

    expect(await run('user suspend', email.toUpperCase(), '--reason', 'Repeated abuse')).toBe(0)
    const refused = await app.call('/api/user?action=profile', { token: person.token })
    expect([refused.status, refused.body.code, await shared()]).toEqual([
      403,
      'account_suspended',
      404,
    ])
    expect(await run('user suspend', email, '--reason', 'Again')).toBe(1)
    expect(await run('user unsuspend', email, '--reason', 'Appeal granted')).toBe(0)
    expect([
      (await app.call('/api/user?action=profile', { token: person.token })).status,
      await shared(),
    ]).toEqual([401, 200])
  })
})

describe('a wish with a forbidden word', () => {
  test('is refused before anything is looked at, and gives the held credit back', async () => {
    const { token, userId } = await app.register()
    const held = await app.call('/api/user?action=consume-credits', { token, json: {} })
    const refused = await app.call(`/api/ai?action=generate&holdId=${held.body.holdId}`, {
      token,
      form: await generateForm({ prompt: 'both n.a.k.e.d on the beach' }),
    })
    expect(refused).toMatchObject({ status: 422, body: { code: 'prompt_refused' } })
    const { body } = await app.call('/api/user?action=profile', { token })
    expect(body.user.creditsBalance).toBe(1)
    const { rows } = await sql<{ act: string; detail: string }>`
      select act, detail from moderation_log where user_id = ${userId}
    `.execute(app.context.database)
    expect(rows).toEqual([{ act: 'prompt refused', detail: 'word: naked' }])
  })
})

describe('the record of moderation', () => {
  test.for([
    'update moderation_log set detail = $$x$$',
    'delete from moderation_log',
    'truncate moderation_log',
  ])('refuses: %s', async (statement) => {
    await expect(sql.raw(statement).execute(app.context.database)).rejects.toThrow(/append-only/)
  })
})
