import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestApp } from '../../testing/open-test-app.ts'
import type { TestApp } from '../../testing/open-test-app.ts'
import { filledAt, fillShop } from '../../testing/fill-shop.ts'
import { saveCheck } from './check.ts'
import type { RunningParts } from './check.ts'
import {
  checkClock,
  checkRoundTrip,
  checkSchema,
  checkSession,
  checkSettings,
} from './check-database.ts'
import { checkFilter, checkHostedImages, checkRetiringModels } from './check-images.ts'
import { checkDisk, checkMemory } from './check-machine.ts'
import {
  checkAddressForPeople,
  checkCallbacks,
  checkMailForPeople,
  checkPaymentProvider,
  checkPublicUrl,
} from './check-outside.ts'
import {
  checkAiLabel,
  checkBackup,
  checkBrand,
  checkKeptLikeness,
  checkImprint,
  checkLegalPage,
  checkOperators,
  checkReports,
  checkStars,
} from './check-shop.ts'

let app: TestApp
let parts: RunningParts
beforeAll(async () => {
  app = await openTestApp({ worker: false })
  await fillShop(app)
  parts = { ...app.context, fetch: answering(200) }
})
afterAll(() => app[Symbol.asyncDispose]())

const answering =
  (status: number, skewMs = 0): typeof fetch =>
  async () =>
    new Response('', {
      status,
      headers: { date: new Date(filledAt.getTime() + skewMs).toUTCString() },
    })
const withConfig = (changes: object): RunningParts => ({
  ...parts,
  config: { ...parts.config, ...changes },
})
const withSite = (changes: object): RunningParts => ({
  ...parts,
  site: { ...parts.site, values: () => ({ ...app.context.site.values(), ...changes }) },
})
const at = (ms: number): RunningParts => ({
  ...parts,
  clock: () => new Date(filledAt.getTime() + ms),
})
const withPayments = (checkPrices: () => Promise<string[]>): RunningParts => {
  const { payments } = app.context
  const active = { ...payments.active, name: 'btcpay' as const, checkPrices }
  return { ...parts, payments: { ...payments, active } }
}
const sql = (text: string) => app.context.pool.query(text)
const hourMs = 60 * 60_000
const dayMs = 24 * hourMs
const gibibyte = 1024 ** 3

/** Each check in each of its states, at the limits between them and beside these. */
const states: Record<string, () => unknown> = {
  'brand, made-up address': () =>
    checkBrand(withSite({ 'brand.contactEmail': 'hello@selfie.example' })),
  'brand, own address': () => checkBrand(withSite({ 'brand.contactEmail': 'me@selfie.example' })),
  'AI label off': () => checkAiLabel(withConfig({ aiLabel: 'off' })),
  'AI label icon': () => checkAiLabel(withConfig({ aiLabel: 'icon' })),
  'imprint, nobody named': () => checkImprint(withSite({ 'legal.operator': '' })),
  'imprint, somebody named': () => checkImprint(withSite({ 'legal.operator': 'House of Selfies' })),
  'terms, starting text': () => checkLegalPage(parts, 'terms'),
  'privacy, starting text': () => checkLegalPage(parts, 'privacy'),
  'terms, draft': async () => {
    await sql(`insert into legal_page_versions (page, texts, saved_at, saved_by)
      values ('terms', '{}', '2026-10-01', 'kim')`)
    return checkLegalPage(parts, 'terms')
  },
  'terms, published': async () => {
    await sql(`insert into legal_page_versions (page, texts, saved_at, saved_by, version, published_at)
      values ('terms', '{}', '2026-10-01', 'kim', '9', '2026-10-01')`)
    return [await checkLegalPage(parts, 'terms'), await checkLegalPage(parts, 'privacy')]
  },
  'likeness off': () => checkKeptLikeness(parts),
  'stars, none': () => checkStars({ ...parts, presets: { ...parts.presets, list: () => [] } }),
  'stars, one ends today': () => checkStars(parts),
  'stars, it ended yesterday': () => checkStars(at(dayMs)),
  'stars, it ends in thirty days': () => checkStars(at(-30 * dayMs)),
  'stars, it ends in thirty-one days': () => checkStars(at(-31 * dayMs)),
  'reports, at the time': () => checkReports(at(-60_000)),
  'reports, past the time': () => checkReports(at(-59_999)),
  'reports, none open': async () => {
    await sql(`update reports set resolved_at = due_at, outcome = 'kept' where outcome is null`)
    return checkReports(parts)
  },
  'operators, none': () => checkOperators(parts),
  'operators, without a second factor': async () => {
    await sql(`insert into operators (name, role, password_hash, totp_secret, totp_confirmed_at, disabled_at)
      values ('amy', 'owner', 'x', null, null, null), ('bea', 'owner', 'x', 'x', now(), null),
        ('cat', 'owner', 'x', null, null, now())`)
    return checkOperators(parts)
  },
  'operators, all with one': async () => {
    await sql(`delete from operators where name = 'amy'`)
    return checkOperators(withConfig({ adminPasswordHash: undefined }))
  },
  'operators, and a password for all': () => checkOperators(withConfig({ adminPasswordHash: 'x' })),
  'backup, none': () => checkBackup(parts),
  ...Object.fromEntries(
    [0, 47.4, 47.6, 48, 7 * 24 - 0.1, 7 * 24].map((hours) => [
      `backup, ${hours} hours old`,
      async () => {
        const made = new Date(filledAt.getTime() - hours * hourMs)
        await saveCheck(parts.database, {
          name: 'backup',
          checked_at: made,
          is_good: true,
          finding: 'a file',
        })
        return checkBackup(parts)
      },
    ]),
  ),
  'images, embedded': () =>
    checkHostedImages({ ...parts, images: { ...parts.images, hostedCount: 0 } }),
  'images, paused': () =>
    checkHostedImages({ ...parts, images: { ...parts.images, hostedCount: 1 } }),
  'images, not tried': () =>
    checkHostedImages({ ...at(10 * 60_000), images: { ...parts.images, hostedCount: 1 } }),
  'images, tried well': async () => {
    await saveCheck(parts.database, {
      name: 'images',
      checked_at: filledAt,
      is_good: true,
      finding: 'fal works.',
    })
    return checkHostedImages({ ...at(hourMs), images: { ...parts.images, hostedCount: 1 } })
  },
  'images, tried in vain': async () => {
    await saveCheck(parts.database, {
      name: 'images',
      checked_at: filledAt,
      is_good: false,
      finding: 'fal fails.',
    })
    return checkHostedImages({ ...at(hourMs), images: { ...parts.images, hostedCount: 1 } })
  },
  'models that retire': () => checkRetiringModels(parts),
  'filter, nothing of one’s own': () => checkFilter(parts),
  'free room of the disk': () =>
    [0, 32 * 1024 ** 2 - 1, 32 * 1024 ** 2, 2 * gibibyte - 1, 2 * gibibyte].map((freeBytes) =>
      checkDisk({ folder: '/data', mayWrite: true, freeBytes }),
    ),
  'disk of another': () => checkDisk({ folder: '/data', mayWrite: false, freeBytes: 1 }),
  memory: () =>
    (['api', 'worker', 'all'] as const).flatMap((role) =>
      [1, 2, 4].map((gibibytes) =>
        checkMemory(
          { generationsAtOnce: 2, role },
          { bytes: gibibytes * gibibyte, cores: gibibytes },
        ),
      ),
    ),
  'address of this machine': () =>
    ['localhost', '127.0.0.1', '[::1]', 'a.example'].map(async (publicHost) =>
      checkAddressForPeople(
        withConfig({ publicHost, publicUrl: `https://${publicHost}`, trustProxy: 1 }),
      ),
    ),
  'address, not encrypted': () =>
    checkAddressForPeople(withConfig({ publicUrl: 'http://a.example', trustProxy: false })),
  'address, not encrypted, for a trial': () =>
    checkPublicUrl(withConfig({ publicUrl: 'http://a.example', trustProxy: false })),
  'address, no proxy trusted': () => checkPublicUrl(withConfig({ trustProxy: false })),
  'address, elsewhere': () => checkPublicUrl({ ...parts, fetch: answering(502) }),
  'address, clocks as far apart as they may': () =>
    checkPublicUrl({ ...parts, fetch: answering(200, 30_000) }),
  'address, clocks further apart': () =>
    checkPublicUrl({ ...parts, fetch: answering(200, -31_000) }),
  'callbacks of test money': () => checkCallbacks(parts),
  'callbacks to this machine': () =>
    ['http://10.0.0.1', 'https://192.168.1.1', 'http://localhost:1', 'https://a.example'].map(
      (callbackBaseUrl) =>
        checkCallbacks(
          withConfig({ payments: { ...parts.config.payments, active: 'btcpay', callbackBaseUrl } }),
        ),
    ),
  'callbacks to the public address': () =>
    checkCallbacks(
      withConfig({
        payments: { ...parts.config.payments, active: 'btcpay', callbackBaseUrl: undefined },
      }),
    ),
  'payments, test money': () => checkPaymentProvider(parts),
  'payments, in order': () => checkPaymentProvider(withPayments(async () => [])),
  'payments, a warning': () => checkPaymentProvider(withPayments(async () => ['Too little.'])),
  'payments, no answer': () =>
    checkPaymentProvider(withPayments(() => Promise.reject(new Error('no')))),
  'mail, none': () =>
    [true, false].map((isSetUp) =>
      checkMailForPeople({
        ...withConfig({ smtpUrl: undefined }),
        mailer: { ...parts.mailer, isSetUp },
      }),
    ),
  'database clocks': () => [0, 2_000, 2_001].map((ms) => [checkClock(ms, 0), checkClock(0, ms)]),
  'round trips': () => [10, 10.1].map(checkRoundTrip),
  sessions: () => [
    checkSession({ announced: 1, backend: 1, databaseDirectUrl: undefined }),
    checkSession({ announced: 2, backend: 1, databaseDirectUrl: undefined }),
    checkSession({ announced: 2, backend: 1, databaseDirectUrl: 'x' }),
  ],
  schemas: () => [
    checkSchema({ pending: [], unknown: [] }),
    checkSchema({ pending: [], unknown: ['0999', '1000'] }),
  ],
  settings: () =>
    [27, 28, 52, 53].map((maxConnections) =>
      checkSettings(
        {
          maxConnections,
          fsync: maxConnections === 27 ? 'off' : 'on',
          fullPageWrites: maxConnections === 28 ? 'off' : 'on',
          encoding: maxConnections === 52 ? 'LATIN1' : 'UTF8',
          isSuperuser: maxConnections === 53 ? 'on' : 'off',
        },
        { databaseConnectionsMax: 16 },
      ),
    ),
}

test('each check says in each of its states what it found and what mends it', async () => {
  const texts: string[] = []
  for (const [name, find] of Object.entries(states)) {
    const found = await find()
    const all = await Promise.all(Array.isArray(found) ? found : [found])
    texts.push(`${name}:`, ...all.flat().map((finding) => `  ${JSON.stringify(finding)}`))
  }
  await expect(`${texts.join('\n')}\n`).toMatchFileSnapshot('testing/check-texts.txt')
})
