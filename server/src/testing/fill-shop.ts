import { keysOf } from '@starside/contract/keys-of.ts'
import { correctBalance } from '../ledger/credits/correct.ts'
import { createVouchers } from '../ledger/vouchers/voucher-batches.ts'
import { raiseFlag } from '../payments/order-records.ts'
import type { FlagKind } from '../payments/payment-decision.ts'
import { changeSite } from '../platform/site/change-site.ts'
import dailyFigures from '../shop/figures/daily-figures.json' with { type: 'json' }
import { makeAttempt, makeDoneGeneration, makeGeneration } from './make-generation.ts'
import { makeOrder } from './make-order.ts'
import type { TestOrder } from './make-order.ts'
import { makeUser } from './make-user.ts'
import type { TestApp } from './open-test-app.ts'

/** When it is in a filled shop. */
export const filledAt = new Date('2026-10-20T12:00:00Z')
const ago = (minutes: number) => new Date(filledAt.getTime() - minutes * 60_000)
const dayMinutes = 24 * 60

/** A shop with something of every kind and state in it, the same in every test. */
export interface FilledShop {
  ids: Record<string, string>
  /** A text with the names of `ids` in the places of what is drawn anew for each test. */
  name(text: string): string
}

/** Fills a shop whose clock it stops at `filledAt`. */
export async function fillShop(app: TestApp): Promise<FilledShop> {
  app.stopTime()
  app.passTime(filledAt.getTime() - app.context.clock().getTime())
  const ids: Record<string, string> = {}
  await addUsers(app, ids)
  await addOrders(app, ids)
  await addSelfies(app, ids)
  await addReports(app, ids)
  await addStars(app, ids)
  await addVouchers(app, ids)
  await addFigures(app)
  await addHistory(app)
  const names = Object.entries(ids).toSorted(([, one], [, other]) => other.length - one.length)
  return {
    ids,
    name: (text) =>
      names
        .reduce((named, [name, id]) => named.replaceAll(id, name.toUpperCase()), text)
        .replaceAll(/[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/g, 'UUID')
        .replaceAll(/\b[\da-f]{16,64}\b/g, 'DIGEST')
        .replaceAll(/\b[\da-f]{8}\b/g, 'SHORT ID'),
  }
}

async function nameUser(app: TestApp, id: string, name: string, minutes: number) {
  await app.context.database
    .updateTable('users')
    .set({
      email: `${name}@example.test`,
      username: `${name} <b>&`,
      referral_code: `code-${name}`,
    })
    .where('id', '=', id)
    .execute()
  await app.context.pool.query('update users set created_at = $2 where id = $1', [id, ago(minutes)])
}

async function addUsers(app: TestApp, ids: Record<string, string>) {
  const { database } = app.context
  for (const [index, name] of ['ada', 'bob', 'cyd'].entries()) {
    const id = await makeUser(database)
    ids[`user ${name}`] = id
    await nameUser(app, id, name, 9_000 - index)
    if (name === 'cyd') continue
    const given = {
      userId: id,
      amount: 9 + index,
      description: 'a gift',
      reference: `gift ${name}`,
    }
    await correctBalance(database, { ...given, now: ago(8_000 - index) })
  }
  const users = database.updateTable('users')
  await users
    .set({ email_confirmed_at: ago(8_900) })
    .where('username', 'like', 'ada%')
    .execute()
  await users.set({ status: 'suspended' }).where('username', 'like', 'bob%').execute()
  const account = database
    .updateTable('credit_accounts')
    .where('user_id', '=', ids['user cyd'] ?? '')
  await account.set({ owed: 12 }).execute()
  for (const [index, expires] of [ago(-60), ago(1), ago(-120)].entries()) {
    const row = { user_id: ids['user ada'] ?? '', created_at: ago(50 + index), expires_at: expires }
    await database
      .insertInto('sessions')
      .values({
        ...row,
        token_hash: Buffer.alloc(32, index),
        address: `192.0.2.${index}`,
        user_agent: `Browser ${index}`,
      })
      .execute()
  }
  await database
    .insertInto('request_notes')
    .values([
      {
        request_id: '11111111-1111-4111-8111-111111111111',
        at: ago(40),
        user_id: ids['user ada'] ?? '',
        call: 'POST /api/generate',
        status: 402,
        code: 'insufficient_credits',
      },
      {
        request_id: '22222222-2222-4222-8222-222222222222',
        at: ago(41),
        user_id: null,
        call: 'GET /api/presets',
        status: 200,
        code: null,
      },
    ])
    .execute()
}

async function addOrders(app: TestApp, ids: Record<string, string>) {
  const { database } = app.context
  const add = async (name: string, minutes: number) => {
    const order = await makeOrder(database, { now: ago(minutes) })
    ids[`order ${name}`] = order.id
    ids[`payment ${name}`] = order.paymentId
    ids[`buyer ${name}`] = order.userId
    await nameUser(app, order.userId, `buyer-${name}`, minutes)
    return order
  }
  const flag = (order: TestOrder, kind: FlagKind, minutes: number) =>
    raiseFlag(database, {
      provider: 'nowpayments',
      paymentId: order.paymentId,
      orderId: order.id,
      now: ago(minutes),
      kind,
      note: `<i>${kind}</i> of ${order.paymentId}`,
    })
  const set = (order: TestOrder, row: object) =>
    database.updateTable('orders').set(row).where('id', '=', order.id).execute()

  await (await add('paid', 700)).settle({ paidAmount: 1, settledAmount: 0.99 }, ago(690))
  const partial = await add('underpaid', 600)
  const half = { paidAmount: 4, settledAmount: 4, payAmount: 10, state: 'partial' as const }
  await partial.settle(half, ago(590))
  const second = await add('second', 500)
  await second.settle({}, ago(490))
  await flag(second, 'second_payment', 480)
  await flag(partial, 'underpaid', 470)
  await set(await add('waiting', 400), { status: 'pending', invoice_id: '4711' })
  await set(await add('expired', 300), { status: 'expired' })
  await set(await add('cancelled', 290), { status: 'cancelled' })
  const late = await add('late', 280)
  await set(late, { status: 'expired' })
  await late.settle({}, ago(270))
  await set(late, { reversed_at: ago(260) })
  const orphan = await add('orphan', 200)
  await set(orphan, { user_id: null, status: 'failed' })
  await raiseFlag(database, {
    provider: 'btcpay',
    paymentId: 'stray',
    orderId: null,
    now: ago(485),
    kind: 'unknown_order',
    note: 'nobody ordered this',
  })
  const decided = await add('decided', 150)
  await flag(decided, 'second_payment', 149)
  await database
    .updateTable('order_flags')
    .set({ resolved_at: ago(140), resolution: 'sent back' })
    .where('order_id', '=', decided.id)
    .execute()
}

async function addSelfies(app: TestApp, ids: Record<string, string>) {
  const { database } = app.context
  const userId = ids['user ada'] ?? ''
  const keep = (name: string, { generationId }: { generationId: string }) => {
    ids[`selfie ${name}`] = generationId
  }
  const finished = (minutes: number, seconds: number) =>
    new Date(ago(minutes).getTime() + seconds * 1_000)
  const done = await makeDoneGeneration(database, {
    userId,
    at: ago(100),
    row: { finished_at: finished(100, 12.34), provider: 'fal', model: 'a-model', preset_id: null },
  })
  keep('done', done)
  await makeAttempt(database, done, { likeness: 0.402, created_at: ago(99.9) })
  await makeAttempt(database, done, { likeness: 0.614, created_at: ago(99.5), chain_position: 1 })
  const shareId = 'S'.repeat(22)
  const shared = await makeDoneGeneration(database, {
    userId,
    at: ago(3 * dayMinutes),
    row: {
      finished_at: finished(3 * dayMinutes, 61),
      share_id: shareId,
      picture_hash: '12345',
      user_photo_hash: '77777777',
      star_photo_hash: '88888888',
    },
  })
  keep('shared', shared)
  const copies = [
    ['same', 4_400, '12345'],
    ['near', 4_410, '12344'],
  ] as const
  for (const [name, minutes, picture_hash] of copies) {
    const row = { picture_hash, finished_at: ago(minutes - 1) }
    keep(name, await makeDoneGeneration(database, { userId, at: ago(minutes), row }))
  }
  const refused = { state: 'failed', error_code: 'provider_refused', finished_at: ago(80) } as const
  keep('failed', await makeGeneration(database, { userId, at: ago(90), row: refused }))
  keep('running', await makeGeneration(database, { userId, at: ago(5), row: { stage: 'faces' } }))
  const deleted = { deleted_at: ago(1), finished_at: ago(2) }
  const gone = await makeDoneGeneration(database, {
    userId: ids['user bob'] ?? '',
    at: ago(4),
    row: deleted,
  })
  keep('deleted', gone)
  await database
    .insertInto('image_providers')
    .values([
      { name: 'openai', failures_in_row: 0, last_success_at: ago(20) },
      {
        name: 'fal',
        failures_in_row: 4,
        open_until: ago(-10),
        last_error_kind: 'timeout',
        last_error_at: ago(3),
        last_success_at: ago(200),
      },
      { name: 'google', failures_in_row: 1, open_until: ago(0) },
    ])
    .execute()
}

async function addReports(app: TestApp, ids: Record<string, string>) {
  const { database, config } = app.context
  const link = `${config.publicUrl}/?selfie=${'S'.repeat(22)}`
  const base = { good_faith: true, details: `see ${link}`, language: 'es' }
  const late = {
    ...base,
    generation_id: ids['selfie shared'] ?? '',
    link,
    reason: 'depicts_me',
    contact: 'late@example.test',
    signature: 'Robin Example',
    behalf: 'somebody_else',
    created_at: ago(47 * 60),
    due_at: ago(1),
  } as const
  const open = {
    ...base,
    generation_id: null,
    link: 'https://elsewhere.example/x.jpg',
    reason: 'copyright',
    contact: 'open@example.test',
    behalf: 'myself',
    created_at: ago(46 * 60),
    due_at: ago(0),
  } as const
  const kept = {
    ...base,
    generation_id: ids['selfie done'] ?? '',
    link,
    reason: 'other',
    contact: 'kept@example.test',
    created_at: ago(45 * 60),
    due_at: ago(30),
    resolved_at: ago(60),
    outcome: 'kept',
    note: 'harmless',
  } as const
  for (const [name, row] of Object.entries({ late, open, kept })) {
    const { id } = await database
      .insertInto('reports')
      .values(row)
      .returning('id')
      .executeTakeFirstOrThrow()
    ids[`report ${name}`] = id
  }
}

async function addStars(app: TestApp, ids: Record<string, string>) {
  const { database, presets } = app.context
  const states = ['cutting', 'failed', 'draft', 'published', 'retired'] as const
  for (const [index, state] of states.entries()) {
    const folder = crypto.randomUUID()
    ids[`folder ${state}`] = folder
    await database
      .insertInto('stars')
      .values({
        id: `${state}-star`,
        name: `${state} <star>`,
        category: 'music',
        line: JSON.stringify({ en: 'A line', es: 'Una línea' }),
        licence: `licence ${state}`,
        licence_from: '2026-01-02',
        licence_until: '2026-10-20',
        licence_uses: 'selfies',
        attribution: `by ${state}`,
        source: `source ${state}`,
        consent_note: `consent ${state}`,
        ai_generated: index % 2 === 0,
        object_folder: folder,
        sample_count: state === 'draft' || state === 'published' ? 3 : 0,
        state,
        failure: state === 'failed' ? 'face_missing' : null,
        created_at: ago(1_000 - index),
        created_by: `kim-${state}`,
      })
      .execute()
  }
  await database
    .insertInto('stars')
    .values({
      id: 'ended-star',
      name: 'Ended',
      category: 'screen',
      licence: 'over',
      licence_until: '2026-10-19',
      attribution: 'x',
      source: 'x',
      consent_note: 'x',
      object_folder: crypto.randomUUID(),
      state: 'published',
      created_at: ago(2_000),
      created_by: 'kim',
    })
    .execute()
  await presets.refresh()
}

async function addVouchers(app: TestApp, ids: Record<string, string>) {
  const base = { credits: 5, codes: 3, usesMax: 4, personUsesMax: 2, createdBy: 'kim' }
  const batches = {
    always: { startsAt: undefined, endsAt: undefined },
    begun: { startsAt: ago(60), endsAt: undefined },
    bounded: { startsAt: ago(60), endsAt: ago(-60) },
    over: { startsAt: undefined, endsAt: ago(1) },
    void: { startsAt: undefined, endsAt: undefined },
  }
  for (const [index, [name, span]] of Object.entries(batches).entries()) {
    const { database, keys, randomBytes } = app.context
    const parts = { database, keys, randomBytes, clock: () => ago(2_000 - index) }
    const { batchId } = await createVouchers(parts, { ...base, ...span, name: `${name} <batch>` })
    ids[`batch ${name}`] = batchId
  }
  await app.context.database
    .updateTable('voucher_batches')
    .set({ voided_at: ago(30) })
    .where('id', '=', ids['batch void'] ?? '')
    .execute()
}

async function addFigures(app: TestApp) {
  const figures = [
    ['selfies', '3'],
    ['selfies', '9'],
    ['model_requests', 'fal/a-model'],
    ['model_failures', 'fal/a-model'],
    ['model_spend_micro_usd', 'fal/a-model'],
    ['model_requests', 'openai/b-model'],
  ] as const
  const known = new Set<string>(figures.map(([figure]) => figure))
  const others = keysOf(dailyFigures.names).filter((figure) => !known.has(figure))
  const all = [...figures, ...others.map((figure) => [figure, 'a label'] as const)]
  for (const [index, [figure, label]] of all.entries()) {
    for (const days of [0, 1, 3, 6, 7, 13, 14]) {
      const amount = (index + 2) * (days + 3) * (figure.endsWith('micro_usd') ? 10_000 : 1)
      const day = ago(days * dayMinutes)
        .toISOString()
        .slice(0, 10)
      await app.context.pool.query('insert into daily_figures values ($1, $2, $3, $4)', [
        day,
        figure,
        label,
        amount,
      ])
    }
  }
}

async function addHistory(app: TestApp) {
  const { database, site } = app.context
  const by = (operatorName: string, minutes: number) => ({ operatorName, now: ago(minutes) })
  await changeSite(database, { 'legal.operator': 'Ada Ltd' }, by('kim', 30))
  await changeSite(database, { 'legal.operator': 'G'.repeat(120) }, by('zoe', 20))
  await changeSite(database, { 'brand.shareTags': ['one', 'two'] }, by('zoe', 10))
  await site.refresh()
  const row = { operator_name: 'kim', subject: 'S', before: null, after: null }
  await database
    .insertInto('operator_log')
    .values([
      { ...row, at: ago(30), act: 'user grant', reason: '<b>why', before: '3', after: '8' },
      { ...row, at: ago(29), act: 'user picture', outcome: 'done' },
      { ...row, at: ago(28), act: 'orders refund', outcome: 'refused', operator_name: 'zoe' },
      { ...row, at: ago(27), act: 'preset place', outcome: 'failed', after: '{"place":2}' },
      { ...row, at: ago(26), act: 'settings set', outcome: 'done', after: `"${'x'.repeat(161)}"` },
    ])
    .execute()
}
