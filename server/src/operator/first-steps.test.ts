import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { changeSite } from '../platform/site/change-site.ts'
import { openOperator } from '../testing/open-operator.ts'
import { openTestApp } from '../testing/open-test-app.ts'
import type { TestApp } from '../testing/open-test-app.ts'
import { makeDoneGeneration } from '../testing/make-generation.ts'
import { openHostedApp } from '../testing/open-hosted-app.ts'
import { readFirstSteps, showOpenSteps } from './pages/first-steps-page.ts'
import { saveCheck } from './doctor/check.ts'
import type { SiteValues } from '../platform/site/site-settings.ts'

let app: TestApp
beforeAll(async () => {
  app = await openTestApp({ worker: false })
})
afterAll(() => app[Symbol.asyncDispose]())

/** The world outside, where the public address leads here or doesn't. */
const outside = (status: number) => ({
  ...app.context,
  fetch: (async () =>
    new Response('', {
      status,
      headers: { date: new Date().toUTCString() },
    })) as typeof fetch,
})
const stateOf = async (name: string, context = outside(200)) =>
  (await readFirstSteps(context)).find((step) => step.name === name)

test('each step of a new installation says how it stands and what to do', async () => {
  const behindProxy = { ...app.context.config, trustProxy: 1 }
  expect(await stateOf('Address', { ...outside(200), config: behindProxy })).toMatchObject({
    level: 'ok',
  })
  expect(await stateOf('Payments')).toMatchObject({ level: 'warning' })
  expect(await stateOf('Legal notice')).toMatchObject({ level: 'problem', href: '/admin/legal' })
  const ofPrivacy = { level: 'warning', href: '/admin/legal/privacy' }
  expect(await stateOf('Privacy')).toMatchObject(ofPrivacy)
  expect(await stateOf('Clock')).toMatchObject({ level: 'ok' })
  expect(await stateOf('Stars')).toMatchObject({ level: 'ok' })
  const local = {
    ...app.context.config,
    publicHost: 'localhost',
    publicUrl: 'http://localhost:3000',
  }
  const steps = await readFirstSteps({ ...outside(200), config: local })
  expect(steps.find(({ name }) => name === 'Address')).toMatchObject({ level: 'problem' })
})

test('a brand is green once its footer leads nowhere that was made up', async () => {
  const { config, site } = app.context
  const withFooter = (more: Partial<SiteValues>) => ({
    ...outside(200),
    site: { ...site, values: () => ({ ...site.values(), ...more }) },
  })
  const begun = `hello@${config.publicHost}, https://x.com, https://discord.com`
  expect(await stateOf('Brand', withFooter({}))).toMatchObject({
    level: 'warning',
    text: expect.stringContaining(begun),
    href: '/admin/brand',
  })
  const own = {
    'brand.contactEmail': 'help@ada.example',
    'brand.socialUrl': 'https://x.com/ada',
    'brand.communityUrl': 'https://chat.ada.example',
  }
  expect(await stateOf('Brand', withFooter(own))).toMatchObject({ level: 'ok' })
})

test('a payment provider that refuses the key is red, one that warns of a price amber', async () => {
  const { payments } = app.context
  const asked = async (checkPrices: () => Promise<string[]>) => {
    const active = {
      ...payments.active,
      name: 'nowpayments',
      checkPrices,
    } as typeof payments.active
    const steps = await readFirstSteps({ ...outside(200), payments: { ...payments, active } })
    return steps.find(({ name }) => name === 'Payments')
  }
  expect(await asked(async () => [])).toMatchObject({ level: 'ok' })
  expect(await asked(async () => ['Too little.'])).toMatchObject({
    level: 'warning',
    text: expect.stringContaining('Too little.'),
  })
  expect(await asked(() => Promise.reject(new Error('no')))).toMatchObject({ level: 'problem' })
})

test('an address that does not lead here, and callbacks that come to this machine, are reported', async () => {
  expect(await stateOf('Address', outside(502))).toMatchObject({ level: 'warning' })
  const { config } = app.context
  const payments = { ...config.payments, active: 'btcpay' as const }
  const callbackBaseUrl = 'http://127.0.0.1:9'
  const wrong = { ...config, payments: { ...payments, callbackBaseUrl } }
  const step = await stateOf('Callbacks', { ...outside(200), config: wrong })
  const text = expect.stringContaining('PAYMENT_CALLBACK_URL')
  expect(step).toMatchObject({ level: 'problem', text })
})

test('no step says word for word what another says, and a missing name is reported once', async () => {
  const steps = await readFirstSteps(outside(200))
  const open = steps.filter(({ level }) => level !== 'ok')
  const told = open.map(({ text, mend, href }) => [text, mend, href].join(' '))
  expect(new Set(told).size).toBe(told.length)
  expect(told.filter((each) => each.includes('who you are'))).toHaveLength(1)
})

test('the imprint is green once the operator is named', async () => {
  const { site } = app.context
  const named = { ...site.values(), 'legal.operator': 'House of Selfies Ltd' }
  const context = { ...outside(200), site: { ...site, values: () => named } }
  const text = expect.stringContaining('House of Selfies Ltd')
  expect(await stateOf('Legal notice', context)).toMatchObject({ level: 'ok', text })
})

test('a page of law is amber until it is published', async () => {
  const { database, clock } = app.context
  const stateOfPrivacy = async () => (await stateOf('Privacy'))?.level
  const [draft] = await database
    .insertInto('legal_page_versions')
    .values({ page: 'privacy', texts: '{}', saved_at: clock(), saved_by: 'kim' })
    .returning('id')
    .execute()
  expect(await stateOfPrivacy()).toBe('warning')
  await database
    .updateTable('legal_page_versions')
    .set({ version: '1', published_at: clock() })
    .where('id', '=', draft?.id ?? '')
    .execute()
  expect(await stateOfPrivacy()).toBe('ok')
})

test('an image provider that failed is red while it is paused, and no longer', async () => {
  const { database, clock, images } = app.context
  const context = { ...outside(200), images: { ...images, hostedCount: 1 } }
  await database
    .insertInto('image_providers')
    .values({ name: 'fal', open_until: new Date(clock().getTime() + 3_600_000) })
    .execute()
  expect((await stateOf('Image providers', context))?.level).toBe('problem')
  await database.updateTable('image_providers').set({ open_until: clock() }).execute()
  expect((await stateOf('Image providers', context))?.level).toBe('warning')
})

test('a backup turns its step green, and its age amber and red', async () => {
  expect(await stateOf('Backup')).toMatchObject({ level: 'problem' })
  const { database, clock } = app.context
  for (const [daysAgo, level] of [
    [1, 'ok'],
    [3, 'warning'],
    [8, 'problem'],
  ] as const) {
    const at = new Date(clock().getTime() - daysAgo * 24 * 60 * 60_000)
    await saveCheck(database, {
      name: 'backup',
      checked_at: at,
      is_good: true,
      finding: '3.1 MB, encrypted.',
    })
    expect(await stateOf('Backup')).toMatchObject({ level })
  }
  expect((await stateOf('Backup'))?.text).toContain('8 days old: 3.1 MB, encrypted.')
})

test('hosted providers are tried when an operator asks, and what came of it is kept', async () => {
  await using hosted = await openHostedApp({ chain: 'fal:google/nano-banana-2.1/edit' })
  const step = async () =>
    (await readFirstSteps(hosted.app.context)).find(({ name }) => name === 'Image providers')
  expect(await step()).toMatchObject({ level: 'warning' })
  const owner = await openOperator(hosted.app)
  const tried = await owner.submit('/admin/first-steps/try-images')
  expect([tried.status, tried.flash]).toEqual([303, expect.stringContaining('works')])
  const text = expect.stringMatching(/^Tried .* UTC: fal:/)
  expect(await step()).toMatchObject({ level: 'ok', text })
})

test('an owner’s home begins with the steps that are open, and each leads to where it is set', async () => {
  const owner = await openOperator(app)
  const { text } = await owner.get('/admin')
  const steps = (await readFirstSteps(app.context)).filter(({ level }) => level !== 'ok')
  expect(steps.length).toBeGreaterThan(4)
  const shown = text.slice(text.indexOf('First steps</h2>'), text.indexOf('Now</h2>'))
  for (const { name, href, mend } of steps) {
    const item = shown.split('<li ').find((each) => each.includes(`<b>${name}</b>`)) ?? ''
    if (href !== undefined) {
      expect(item).toContain(`<a class="button" href="${href}">`)
      expect([href, (await owner.get(href)).status]).toEqual([href, 200])
    } else {
      // A variable of the environment, at its place in the list of all, or a command.
      expect(item).toMatch(/href="\/admin\/settings#[A-Z_]+">How to set|npm run admin -- /)
      expect(mend).toBeDefined()
    }
  }
  const moderator = await openOperator(app, 'moderator')
  expect((await moderator.get('/admin')).text).not.toContain('First steps')
})

/** Does all that a new installation needs; what is recommended stays open. */
async function doNeededSteps({ database, clock, site }: TestApp['context']) {
  const [now, operatorName] = [clock(), 'kim']
  await changeSite(database, { 'legal.operator': 'House of Selfies Ltd' }, { operatorName, now })
  await site.refresh()
  const published = { texts: '{}', version: '1', saved_at: now, saved_by: 'kim', published_at: now }
  const versions = (['terms', 'privacy'] as const).map((page) => ({ page, ...published }))
  await database.insertInto('legal_page_versions').values(versions).execute()
  const backup = { name: 'backup', checked_at: now, is_good: true, finding: '3.1 MB' } as const
  await saveCheck(database, backup)
}

test('the open steps of an owner’s home fold into one line once a selfie was made and all that is needed is done', async () => {
  await using own = await openTestApp({ worker: false })
  const owner = await openOperator(own)
  await makeDoneGeneration(own.context.database)
  const { text: begun } = await owner.get('/admin')
  expect(begun, 'something needed is open').toContain('<h2>First steps</h2>')
  expect(begun).not.toContain('<summary>First steps')
  await doNeededSteps(own.context)
  const { text } = await owner.get('/admin')
  expect(text).not.toContain('<h2>First steps</h2>')
  expect(text).toMatch(
    /<details>\s*<summary>First steps: \d+ of \d+ open<\/summary>\s*<ul class="steps">/,
  )
})

test('an owner’s home begins with the figures once all that is needed is done', async () => {
  await using own = await openTestApp({ worker: false })
  await doNeededSteps(own.context)
  const { text } = await (await openOperator(own)).get('/admin')
  const headings = [...text.matchAll(/<h2>(Now|Last seven days|First steps)</g)]
  expect(headings.map(([, heading]) => heading)).toEqual(['Now', 'Last seven days', 'First steps'])
})

test('once every step is green, home is the overview alone', () => {
  const step = { name: 'Brand', text: 'Ours.' }
  const call = {
    context: app.context,
    operator: { id: undefined, name: 'kim', role: 'owner' as const, sessionId: '' },
    params: {},
    query: {},
    csrfToken: '',
    path: '/admin',
    refused: undefined,
    done: undefined,
    may: () => true,
  }
  expect(showOpenSteps(call, [{ ...step, level: 'ok' }], false)).toBeUndefined()
  const open = { ...step, level: 'warning' as const, mend: 'Set name.', href: '/admin/brand' }
  const steps = [{ ...step, level: 'ok' as const }, open]
  expect(showOpenSteps(call, steps, false)?.text).toContain('1 of 2')
})

test('a server of one’s own is asked only where pictures are judged, or the reason why not is in writing', async () => {
  await using hosted = await openHostedApp({ chain: 'openai:gpt-image-2', filterWaiver: '' })
  const { context } = hosted.app
  const step = async (module?: string) => {
    const safety = { ...context.config.safety, classifier: { module, thresholds: {} } }
    const config = { ...context.config, safety }
    const steps = await readFirstSteps({ ...context, config })
    return steps.find(({ name }) => name === 'Picture filter')
  }
  const { token } = await hosted.signIn(2)
  expect((await hosted.generate(token)).status).toBe(502)
  expect([hosted.direct.openai.calls().length, await hosted.balance(token)]).toEqual([0, 2])
  expect(await step()).toMatchObject({
    level: 'problem',
    mend: expect.stringContaining('MODERATION_CLASSIFIER'),
  })
  expect(await step('nsfwjs')).toMatchObject({ level: 'ok' })
  const by = { operatorName: 'kim', now: context.clock() }
  const reason = 'Every picture is looked at by a person.'
  await changeSite(context.database, { 'images.filterWaiver': reason }, by)
  await context.site.refresh()
  expect(await step()).toMatchObject({ level: 'warning', text: expect.stringContaining(reason) })
  expect((await hosted.generate(token)).status).toBe(200)
})

test('a server behind the compositor is passed over without a filter', async () => {
  const chain = 'openai:gpt-image-2,compositor'
  await using hosted = await openHostedApp({ chain, filterWaiver: '' })
  const { token } = await hosted.signIn()
  expect((await hosted.generate(token)).status).toBe(200)
  expect(hosted.direct.openai.calls()).toEqual([])
})

test('a model of the chain is amber thirty days before its vendor shuts it down, then red', async () => {
  await using hosted = await openHostedApp({ chain: 'openai:gpt-image-2', worker: false })
  hosted.app.stopTime()
  const { images, clock } = hosted.app.context
  const step = async (days: number) => {
    const retires = new Date(clock().getTime() + days * 24 * 60 * 60_000).toISOString().slice(0, 10)
    const find = (name: string) => {
      const provider = images.find(name)
      return provider && { ...provider, probe: async () => retires }
    }
    const context = { ...hosted.app.context, images: { ...images, find } }
    return (await readFirstSteps(context)).find(({ name }) => name === 'Image models')
  }
  expect(await step(31)).toBeUndefined()
  const text = expect.stringContaining('openai:gpt-image-2')
  expect(await step(29)).toMatchObject({ level: 'warning', text })
  expect(await step(-1)).toMatchObject({ level: 'problem' })
})

test('the command that a step asks for is there to copy, where nothing is to be set', async () => {
  const { text } = await (await openOperator(app)).get('/admin/first-steps')
  expect(text).toContain('<pre class="once">npm run admin -- backup FILE</pre>')
  expect(text.split('Copy the command')).toHaveLength(2)
})

test('the page shows the steps and sends a test mail', async () => {
  const owner = await openOperator(app)
  const { status, text } = await owner.get('/admin/first-steps')
  expect([status, text.includes('in by password alone')]).toEqual([200, true])
  const sent = await owner.submit('/admin/first-steps/test-mail', { to: 'me@example.test' })
  expect([sent.status, app.mails.at(-1)?.subject]).toEqual([303, 'A test from Starside'])
  expect((await owner.submit('/admin/first-steps/test-mail', { to: 'nobody' })).status).toBe(422)
  const away = () => Promise.reject(new Error('away'))
  const sending = vi.spyOn(app.context.mailer, 'send').mockImplementation(away)
  onTestFinished(() => sending.mockRestore())
  const refused = await owner.submit('/admin/first-steps/test-mail', { to: 'me@example.test' })
  expect([refused.status, refused.text.includes('The mail server did not take it.')]).toEqual([
    422,
    true,
  ])
})
