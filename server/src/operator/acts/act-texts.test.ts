import { PhotoError } from '@starside/engine/photo/photo-error.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestApp } from '../../testing/open-test-app.ts'
import type { TestApp } from '../../testing/open-test-app.ts'
import type { Act, ActParts } from '../act.ts'
import type { ActField } from '../act-fields.ts'
import { acts } from '../acts.ts'
import type { SubmittedForm } from '../operator-page.ts'
import { runLogged } from '../operator-log.ts'
import { fillShop } from '../../testing/fill-shop.ts'
import type { FilledShop } from '../../testing/fill-shop.ts'

let app: TestApp
let shop: FilledShop
let parts: ActParts
const jobs: unknown[] = []
beforeAll(async () => {
  app = await openTestApp({ worker: false })
  shop = await fillShop(app)
  const { context } = app
  parts = {
    ...context,
    operatorName: 'kim',
    jobs: { enqueue: async (_database, name, data) => void jobs.push({ name, data }) },
    engine: {
      async admit({ bytes, isBackground }) {
        if (isBackground) throw new PhotoError('background_too_low')
        const size = { widthPx: 1000, heightPx: 1250 }
        return {
          photo: { ...size, bytes, mediaType: 'image/jpeg', hasMatte: false },
          inspection: { ...size, faces: [], refusals: [], hints: [] },
          fingerprint: { upright: '', mirrored: '' },
        }
      },
      makeLogo: async () => Promise.reject(new PhotoError('photo_damaged')),
    },
    store: async () => context.store,
    keys: async () => context.keys,
    listStars: async () => context.presets.listPlaced(),
  }
})
afterAll(() => app[Symbol.asyncDispose]())

const reason = 'the user asked'
const star = {
  name: 'Nova Example',
  category: 'music',
  licence: 'own',
  attribution: 'by us',
  source: 'a studio',
  consent_note: 'on paper',
}
const event = {
  name: 'gala',
  title: 'Gala',
  from: '2026-01-01 18:00',
  to: '2099-01-01 23:00',
  budget: '40',
}
/** Of each act the calls that it takes one after the other, names of the shop's ids in capitals. */
const calls: Record<string, Record<string, string>[]> = {
  'orders credit-worth': ['UNDERPAID', 'WAITING', 'PAID'].map((name) => ({
    id: `ORDER ${name}`,
    reason,
  })),
  'orders refund': ['WAITING', 'PAID', 'PAID', 'LATE', 'NONE'].map((name) => ({
    id: `ORDER ${name}`,
    reason,
  })),
  'flag resolve': ['2', '2', '99', 'x'].map((id) => ({ id, reason })),
  'orders settle': ['WAITING', 'EXPIRED', 'CANCELLED', 'ORPHAN', 'SECOND', 'NONE'].map((name) => ({
    id: `ORDER ${name}`,
    reason,
  })),
  'user grant': [
    { id: 'USER ADA', credits: '3', reason },
    { id: 'USER ADA', credits: '4', reason, once: '33333333-3333-4333-8333-333333333333' },
    { id: 'USER ADA', credits: '4', reason, once: '33333333-3333-4333-8333-333333333333' },
  ],
  'user take': [
    { id: 'ada@example.test', credits: '2', reason },
    { id: 'code-ada', credits: '99', reason },
    { id: 'USER CYD', credits: '1', reason },
  ],
  'user suspend': [
    { id: 'USER ADA', reason },
    { id: 'USER BOB', reason },
    { id: 'x', reason },
  ],
  'user unsuspend': [
    { id: 'USER BOB', reason },
    { id: 'USER CYD', reason },
  ],
  'picture remove': [
    { id: 'SELFIE DONE', reason },
    { id: 'SELFIE FAILED', reason },
    { id: 'SELFIE DELETED', reason },
  ],
  'reports resolve': [
    { id: 'REPORT KEPT', outcome: 'kept', reason },
    { id: 'REPORT OPEN', outcome: 'removed', reason },
    { id: 'REPORT OPEN', outcome: 'not_found', reason },
    { id: 'REPORT LATE', outcome: 'removed', reason, copies: 'on' },
    { id: 'REPORT LATE', outcome: 'kept', reason },
  ],
  'voucher create': [
    { name: 'Fair', credits: '5' },
    { name: 'Span', credits: '7', codes: '2', usesMax: '3', from: '2026-12-01', to: '2026-12-01' },
    { name: 'Back', credits: '7', from: '2026-12-02', to: '2026-12-01' },
  ],
  'voucher void': ['BATCH ALWAYS', 'BATCH ALWAYS', 'BATCH VOID', 'x'].map((id) => ({ id, reason })),
  'event create': [
    event,
    event,
    { ...event, name: 'other', stars: 'elena-vassandri', scenes: 'cafe', prints: 'strip' },
    { ...event, name: 'third', stars: 'nobody' },
    { ...event, name: 'third', to: event.from },
  ],
  'event edit': [
    { id: 'gala', title: 'Grand gala', wall: 'no' },
    { id: 'gala', name: 'other' },
    { id: 'none', title: 'None' },
  ],
  'event budget': [
    { id: 'gala', credits: '7', reason, once: '44444444-4444-4444-8444-444444444444' },
    { id: 'gala', credits: '7', reason, once: '44444444-4444-4444-8444-444444444444' },
    { id: 'gala', credits: '-900', reason },
    { id: 'none', credits: '1', reason },
  ],
  'event link': [
    { id: 'gala', role: 'kiosk' },
    { id: 'none', role: 'kiosk' },
  ],
  'event withdraw': [{ id: 'gala', link: '55555555-5555-4555-8555-555555555555' }],
  'event end': [
    { id: 'gala', reason },
    { id: 'gala', reason },
  ],
  'preset add': [{ ...star, line_en: 'A', line_zh: 'B', licence_from: '2026-01-01' }, star],
  'preset edit': [
    { id: 'draft-star', name: 'Other', line_es: 'otra' },
    { id: 'retired-star', name: 'Other' },
    { id: 'none' },
  ],
  'preset publish': ['draft', 'published', 'failed', 'retired', 'cutting', 'no'].map((state) => ({
    id: `${state}-star`,
  })),
  'preset place': [
    { id: 'published-star', position: '2', hidden: 'on' },
    { id: 'published-star', position: '9999' },
    { id: 'none', position: '1' },
  ],
  'preset retry': ['failed', 'failed', 'draft', 'no'].map((state) => ({ id: `${state}-star` })),
  'preset retire': ['published', 'retired', 'cutting', 'no'].map((state) => ({
    id: `${state}-star`,
    reason,
  })),
  'settings set': [
    { id: 'legal.address', value: 'a street' },
    { id: 'brand.shareTags', value: '["x"]' },
    { id: 'brand.accentLight', value: 'red' },
    { id: 'none', value: 'x' },
  ],
  'settings undo': [
    { id: 'legal.operator' },
    { id: 'legal.operator', version: '1' },
    { id: 'none' },
  ],
  'settings unset': [{ id: 'legal.operator' }, { id: 'legal.operator' }],
  'operator add': [{ id: 'amy', role: 'support' }, { id: 'amy' }, { id: 'bea' }],
  'operator change': [
    { id: 'amy', role: 'moderator', disabled: 'on' },
    { id: 'bea', role: 'support' },
    { id: 'none', role: 'owner' },
  ],
  'operator token': [{}, { name: 'guest', days: '2' }],
  'operator reset': [{ id: 'amy' }, { id: 'none' }],
  'operator revoke': [{}, {}],
  'user delete': [
    { id: 'USER CYD', email: 'ada@example.test', reason },
    { id: 'USER CYD', email: ' CYD@example.test', reason },
    { id: 'USER CYD', email: 'cyd@example.test', reason },
  ],
}

const numbers = ['', '0', '1', '-1', '1.5', 'x', '365', '366', '1000', '1001', '10000', '10001']
const largeNumbers = ['100000', '100001', '1000000', '1000001']

/** What is no good in a field, or just good enough. */
function valuesOf({ kind = 'text', lengthMax }: ActField): (string | undefined)[] {
  if (kind === 'tick') return ['off']
  if (kind === 'file') return [undefined]
  if (kind === 'number') return [undefined, ...numbers, ...largeNumbers]
  if (kind === 'date') return ['2026-02-30', '20261201', 'x']
  if (kind === 'moment') return [undefined, '', '2026-13-01T10:00', '2026-12-01', 'x']
  if (typeof kind !== 'string') return [undefined, '', 'x']
  const lengths = lengthMax === undefined ? [] : [lengthMax, lengthMax + 1]
  return [undefined, '', ' ', ...lengths.map((length) => 'y'.repeat(length))]
}

const idsIn = (fields: Record<string, string>) =>
  Object.fromEntries(
    Object.entries(fields).map(([field, value]) => {
      const known = Object.keys(shop.ids).find((name) => name.toUpperCase() === value)
      return [field, known === undefined ? value : (shop.ids[known] ?? '')]
    }),
  )

const maskSecrets = (text: string) =>
  shop
    .name(text)
    .replaceAll(/\b[0-9A-Z]{4}(?:-[0-9A-Z]{4}){2,}(?:-[0-9A-Z])?\b/g, 'CODE')
    .replaceAll(/"text":"[\w-]{20,}"/g, '"text":"SECRET"')
    .replaceAll(/#key=[\w-]+/g, '#key=SECRET')
    .replaceAll(/(?!(\d)\1{7})[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/g, 'UUID')
    .replaceAll(/y{20,}/g, ({ length }) => `y×${length}`)
    .replaceAll(/(?:\\r\\n|\\n)(\d+),CODE[^"]*/g, ' $1,CODE …')

const picture = Buffer.from('a picture')

async function doAct(
  act: Act,
  fields: Record<string, string>,
  files: SubmittedForm['files'] = act.fileBytesMax === undefined ? {} : { picture },
): Promise<string> {
  const sent = idsIn(fields)
  const outcome = await runLogged(
    parts,
    { operator: { id: undefined, name: 'kim' }, act: act.name, fields: sent },
    () => act.run(parts, { fields: sent, files }),
  )
  await app.context.presets.refresh()
  return maskSecrets(`${JSON.stringify(fields)}\n  ${JSON.stringify(outcome)}`)
}

const readModeration = async () => {
  const rows = await app.context.database
    .selectFrom('moderation_log')
    .select(['act', 'actor', 'detail', 'generation_id', 'user_id', 'report_id'])
    .orderBy('id')
    .execute()
  return rows.map((row) => maskSecrets(JSON.stringify(Object.values(row))))
}

const readBlocked = async () => {
  const rows = await app.context.database
    .selectFrom('blocked_pictures')
    .select(['generation_id', 'kind', 'hash'])
    .execute()
  return rows.map((row) => maskSecrets(JSON.stringify(Object.values(row)))).toSorted()
}

const readLog = async () => {
  const rows = await app.context.database
    .selectFrom('operator_log')
    .select(['act', 'subject', 'reason', 'before', 'after', 'outcome'])
    .orderBy('id')
    .execute()
  return rows.map((row) => maskSecrets(JSON.stringify(Object.values(row))))
}

test.each(Object.keys(calls))(
  '%s does what it says, refuses what it can’t, and tells the log',
  async (name) => {
    const act = acts.find((each) => each.name === name)
    if (act === undefined) throw new Error(`there is no act ${name}`)
    const before = (await readLog()).length
    const moderatedBefore = (await readModeration()).length
    const blockedBefore = await readBlocked()
    jobs.length = 0
    const done: string[] = []
    for (const fields of calls[name] ?? []) done.push(await doAct(act, fields))
    const log = (await readLog()).slice(before)
    const moderated = (await readModeration()).slice(moderatedBefore)
    const blocked = (await readBlocked()).filter((row) => !blockedBefore.includes(row))
    const queued = jobs.map((job) => JSON.stringify(job))
    const refused: string[] = []
    const [good = {}] = calls[name] ?? []
    for (const [field, declared] of Object.entries(act.fields)) {
      for (const value of valuesOf(declared)) {
        const { [field]: _left, ...others } = good
        const fields = value === undefined ? others : { ...others, [field]: value }
        const text = await doAct(act, fields, declared.kind === 'file' ? {} : undefined)
        refused.push(
          `${field} ${value === undefined ? 'left out' : JSON.stringify(value)}: ${text.split('\n')[1]?.trim()}`,
        )
      }
    }
    const text = [
      act.right,
      ...done,
      'In the log:',
      ...log,
      'In the queue:',
      ...queued,
      'Moderated:',
      ...moderated,
      'Blocked:',
      ...blocked,
      'Field by field:',
      ...refused,
      '',
    ]
    // Nothing of a schema's own words, such as 'Too small: expected number'.
    expect(refused.join('\n')).not.toMatch(/expected|invalid|too (?:small|big)/i)
    await expect(maskSecrets(text.join('\n'))).toMatchFileSnapshot(
      `testing/${name.replaceAll(' ', '-')}.txt`,
    )
  },
)

test('every act is tried', () => {
  expect(Object.keys(calls).toSorted()).toEqual(acts.map(({ name }) => name).toSorted())
})
