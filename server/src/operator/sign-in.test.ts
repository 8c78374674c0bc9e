import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { openTestApp } from '../testing/open-test-app.ts'
import type { TestApp } from '../testing/open-test-app.ts'
import { createOperatorToken, openOperatorSession, operatorSessionMs } from './operator-sessions.ts'
import { addOperator, resetOperator } from './operators.ts'
import type { OperatorRole } from './roles.ts'
import { totpCode } from './second-factor.ts'
import { qrCode } from './tables.ts'

let app: TestApp
beforeAll(async () => {
  app = await openTestApp({ worker: false, settings: { SIGN_IN_FAILURES_MAX: '4' } })
  // A code is of its half minute.
  app.stopTime()
})
afterEach(() => app.context.pool.query('delete from rate_limits'))
afterAll(() => app[Symbol.asyncDispose]())

const password = 'a long pass phrase'

async function post(path: string, fields: Record<string, string>, cookie = '') {
  const response = await fetch(app.url + path, {
    method: 'POST',
    body: new URLSearchParams(fields),
    headers: { origin: app.url, cookie, 'user-agent': 'Test Browser 1' },
    redirect: 'manual',
  })
  const cookies = response.headers.getSetCookie().map((line) => line.split(';')[0])
  return { status: response.status, text: await response.text(), cookie: cookies.join('; ') }
}

async function open(path: string, cookie: string) {
  const response = await fetch(app.url + path, { headers: { cookie } })
  const text = await response.text()
  const csrf = /name="csrf" value="([^"]+)"/.exec(text)?.[1] ?? ''
  return { status: response.status, text, csrf }
}

const signIn = (name: string, code = '', secret = password, cookie = '') =>
  post('/admin/sign-in', { name, secret, code }, cookie)

async function add(name: string, role: OperatorRole = 'support') {
  await addOperator(app.context.database, { name, role, password })
}

async function countCodes(name: string): Promise<number> {
  const { rows } = await app.context.pool.query(
    `select from operator_recovery_codes as code join operators on operators.id = operator_id
     where name = $1`,
    [name],
  )
  return rows.length
}

/** Sets a second factor up in the browser; answers its secret and the recovery codes. */
async function setUpSecondFactor(cookie: string) {
  const send = async (form: string, fields: Record<string, string> = {}) => {
    const { csrf } = await open('/admin/account', cookie)
    return post(`/admin/account/${form}`, { ...fields, csrf }, cookie)
  }
  const { text } = await send('begin-second-factor', { current: password })
  expect(text).toContain('<svg')
  const base32 = /<code>([A-Z2-7 ]{39})<\/code>/.exec(text)?.[1]?.replaceAll(' ', '') ?? ''
  const secret = fromBase32(base32)
  const wrong = await send('confirm-second-factor', { code: '000000', current: password })
  expect([wrong.status, wrong.text.includes('not the code')]).toEqual([422, true])
  expect(wrong.text).toContain('<svg')
  // As apps show it.
  const code = codeNow(secret).replace(/^.{3}/, '$& ')
  const done = await send('confirm-second-factor', { code, current: password })
  const codes = [...done.text.matchAll(/<code class="once">([^<]+)</g)].map(([, one]) => one ?? '')
  expect(codes).toHaveLength(10)
  return { secret, codes }
}

const stepNow = () => Math.floor(app.context.clock().getTime() / 30_000)
const codeNow = (secret: Buffer) => totpCode(secret, stepNow())

function fromBase32(text: string): Buffer {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'
  const bits = Array.from(text, (sign) => alphabet.indexOf(sign).toString(2).padStart(5, '0')).join(
    '',
  )
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)))
}

test('an operator signs in by name and password, in their role', async () => {
  await add('kim', 'moderator')
  const { status, cookie } = await signIn('Kim ')
  expect(status).toBe(303)
  expect((await open('/admin', cookie)).text).toContain('kim (moderator)')
})

test('a code has its place behind a fold, open where a sign-in failed', async () => {
  const fold = (text: string) =>
    /<details class="entry" (\w*)>\s*<summary>Use a code</.exec(text)?.[1]
  expect(fold((await open('/admin', '')).text)).toBe('')
  expect(fold((await signIn('nobody')).text)).toBe('open')
  expect(fold((await signIn('')).text), 'of a token, which has none').toBe('')
})

test('a name that nobody has and a wrong password get the same answer', async () => {
  await add('lee')
  const [wrong, unknown] = [await signIn('lee', '', 'wrong'), await signIn('nobody', '', 'wrong')]
  expect([wrong.status, unknown.status]).toEqual([401, 401])
  expect(wrong.text.replace('lee', 'nobody')).toBe(unknown.text)
})

test('with a second factor the password alone opens nothing, and each code opens once', async () => {
  await add('max')
  const first = await signIn('max')
  const { secret, codes } = await setUpSecondFactor(first.cookie)
  expect((await signIn('max')).status).toBe(401)
  // The code that set it up was taken.
  expect((await signIn('max', codeNow(secret))).status).toBe(401)
  app.passTime(30_000)
  const code = codeNow(secret)
  const both = await Promise.all([signIn('max', code), signIn('max', code)])
  expect(both.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([303, 401])
  await app.context.pool.query('delete from rate_limits')

  const [recovery = ''] = codes
  const recovered = await signIn('max', recovery.toUpperCase())
  expect(recovered.status).toBe(303)
  expect((await open('/admin/account', recovered.cookie)).text).toContain(
    '9 recovery codes are left',
  )
  expect((await signIn('max', recovery)).status).toBe(401)
})

test('a recovery code lets nobody in but its own operator, and stays theirs', async () => {
  await add('ron')
  await add('rob')
  const { codes } = await setUpSecondFactor((await signIn('ron')).cookie)
  await setUpSecondFactor((await signIn('rob')).cookie)
  const [code = ''] = codes
  expect((await signIn('rob', code)).status).toBe(401)
  expect((await signIn('ron', code)).status).toBe(303)
})

test('the database has neither the secret nor the recovery codes', async () => {
  await add('ada')
  const { cookie } = await signIn('ada')
  const { secret, codes } = await setUpSecondFactor(cookie)
  const { rows } = await app.context.pool.query<{ text: string }>(
    `select coalesce(string_agg(operators::text, ''), '') || coalesce((select string_agg(codes::text, '') from operator_recovery_codes as codes), '') as text from operators`,
  )
  const { text } = rows[0]!
  expect(text).not.toContain(secret.toString('hex'))
  for (const code of codes) expect(text).not.toContain(code)
  expect(text).not.toContain(password)
})

test('an authenticator app scans the secret under the site’s name, then the operator’s', async () => {
  await add('zoe')
  const { cookie } = await signIn('zoe')
  const { csrf } = await open('/admin/account', cookie)
  const fields = { current: password, csrf }
  const { text } = await post('/admin/account/begin-second-factor', fields, cookie)
  const base32 = /<code>([A-Z2-7 ]{39})<\/code>/.exec(text)?.[1]?.replaceAll(' ', '')
  const code = await qrCode(`otpauth://totp/Starside:zoe?secret=${base32}&issuer=Starside`)
  expect(text).toContain(code.text)
})

test('whoever has a session alone neither sees a secret nor puts one into use', async () => {
  await add('ivy')
  const { cookie } = await signIn('ivy')
  const send = async (form: string, fields: Record<string, string>) => {
    const { csrf } = await open('/admin/account', cookie)
    return post(`/admin/account/${form}`, { ...fields, csrf }, cookie)
  }
  const guessed = await send('begin-second-factor', { current: 'a guess' })
  expect([guessed.status, guessed.text.includes('<svg')]).toEqual([422, false])
  // The operator has begun in another window.
  const { text } = await send('begin-second-factor', { current: password })
  const base32 = /<code>([A-Z2-7 ]{39})<\/code>/.exec(text)?.[1]?.replaceAll(' ', '') ?? ''
  expect((await open('/admin/account', cookie)).text).not.toContain('<svg')
  const code = codeNow(fromBase32(base32))
  for (const current of ['', 'a guess']) {
    const refused = await send('confirm-second-factor', { code, current })
    expect([refused.status, refused.text.includes('<svg')]).toEqual([422, false])
  }
  expect((await signIn('ivy')).status).toBe(303)
})

test('what the command line resets signs in by the new password alone; old sessions end, and recovery codes are gone', async () => {
  await add('eve')
  const { cookie } = await signIn('eve')
  await setUpSecondFactor(cookie)
  await resetOperator(app.context.database, { name: 'eve', password: 'another pass phrase' })
  expect((await open('/admin', cookie)).status).toBe(401)
  expect((await signIn('eve', '', 'another pass phrase')).status).toBe(303)
  expect(await countCodes('eve')).toBe(0)
})

test('who was disabled is let in again by the command line', async () => {
  await add('ann')
  const { database, clock } = app.context
  await database
    .updateTable('operators')
    .set({ disabled_at: clock() })
    .where('name', '=', 'ann')
    .execute()
  await resetOperator(database, { name: 'ann', password })
  expect((await signIn('ann')).status).toBe(303)
})

test('a second factor that is taken away takes its recovery codes along, and no code of the app brings it back', async () => {
  await add('uma')
  const { cookie } = await signIn('uma')
  const { secret } = await setUpSecondFactor(cookie)
  const { csrf } = await open('/admin/account', cookie)
  const fields = { csrf, current: password }
  expect((await post('/admin/account/remove-second-factor', fields, cookie)).status).toBe(303)
  expect(await countCodes('uma')).toBe(0)
  const again = { ...fields, code: codeNow(secret) }
  expect((await post('/admin/account/confirm-second-factor', again, cookie)).status).toBe(422)
  expect((await signIn('uma')).status).toBe(303)
})

test('a session keeps three hundred characters of what the browser calls itself', async () => {
  const secret = await openOperatorSession(
    app.context,
    { by: 'common password' },
    { userAgent: 'x'.repeat(301) },
  )
  const { text } = await open('/admin/account', `starside_operator=${secret}`)
  expect(text).toContain('x'.repeat(80))
  const { rows } = await app.context.pool.query(
    'select max(length(user_agent)) as most from operator_keys',
  )
  expect(rows).toEqual([{ most: 300 }])
})

test('what an act has told stands on the next page, and on no other', async () => {
  await add('una')
  const { cookie } = await signIn('una')
  const sentence = JSON.stringify({ kind: 'done', text: 'The brand is saved.' })
  const told = Buffer.from(sentence).toString('base64url')
  const response = await fetch(`${app.url}/admin/account`, {
    headers: { cookie: `${cookie}; starside_operator_told=${told}` },
  })
  expect(await response.text()).toContain('The brand is saved.')
  expect(response.headers.getSetCookie().join()).toMatch(/starside_operator_told=;[^,]*Max-Age=0/)
})

test('a session ends after twelve hours', async () => {
  await add('zoe')
  const { cookie } = await signIn('zoe')
  app.passTime(12 * 60 * 60_000 - 1)
  expect((await open('/admin', cookie)).status).toBe(200)
  app.passTime(1)
  expect((await open('/admin', cookie)).status).toBe(401)
})

test('a session that is over is deleted, with its address and browser, when somebody signs in', async () => {
  await add('nia')
  await signIn('nia')
  app.passTime(operatorSessionMs)
  await signIn('nia')
  const left = app.context.database.selectFrom('operator_keys').select('id').execute()
  expect(await left).toHaveLength(1)
})

test('strangers who guess close the sign-in for other browsers, and not for one that is known', async () => {
  await add('joe')
  await add('jan')
  const known = await signIn('joe')
  const [, device = ''] = /(starside_operator_device=[^;]+)/.exec(known.cookie) ?? []
  for (let guess = 0; guess < 4; guess += 1) await signIn(`name-${guess}`, '', 'a guess')
  expect((await signIn('joe')).status).toBe(429)
  expect((await signIn('joe', '', password, device)).status).toBe(303)
  expect((await signIn('jan', '', password, device)).status).toBe(429)
})

test('sessions are listed and ended one by one, one’s own only', async () => {
  await add('sam')
  await add('sue')
  const [one, two, stranger] = [await signIn('sam'), await signIn('sam'), await signIn('sue')]
  const page = await open('/admin/account', one.cookie)
  expect(page.text.match(/Test Browser 1/g)).toHaveLength(2)
  const ids = [...page.text.matchAll(/name="sessionId" value="([^"]+)"/g)].map(([, id]) => id!)
  expect(ids).toHaveLength(1)
  const end = async (cookie: string) => {
    const { csrf } = await open('/admin/account', cookie)
    return post('/admin/account/end-session', { csrf, sessionId: ids[0]! }, cookie)
  }
  expect((await end(stranger.cookie)).status).toBe(422)
  expect((await open('/admin', two.cookie)).status).toBe(200)
  expect((await end(one.cookie)).status).toBe(303)
  expect((await open('/admin', two.cookie)).status).toBe(401)
})

test('who came by a token lists and ends the sessions of its name alone', async () => {
  const token = (name: string) =>
    createOperatorToken(app.context, { name, lifetimeMs: operatorSessionMs })
  const [first, second] = [await token('Kim'), await token('Max')]
  const [kim, max] = [await signIn('', '', first), await signIn('', '', second)]
  const idsOf = async (cookie: string) => {
    const { text } = await open('/admin/account', cookie)
    return [...text.matchAll(/name="sessionId" value="([^"]+)"/g)].map(([, id]) => id!)
  }
  expect(await idsOf(kim.cookie)).toEqual([])
  const again = await signIn('', '', first)
  const [own = ''] = await idsOf(kim.cookie)
  const end = async (cookie: string) => {
    const { csrf } = await open('/admin/account', cookie)
    return post('/admin/account/end-session', { csrf, sessionId: own }, cookie)
  }
  expect((await end(max.cookie)).status).toBe(422)
  expect((await open('/admin', again.cookie)).status).toBe(200)
  expect((await end(kim.cookie)).status).toBe(303)
  expect((await open('/admin', again.cookie)).status).toBe(401)
})

test('a new password ends the other sessions; a wrong old one is counted', async () => {
  await add('tom')
  const [one, two] = [await signIn('tom'), await signIn('tom')]
  const change = async (current: string) => {
    const { csrf } = await open('/admin/account', one.cookie)
    const fields = { csrf, current, next: 'a new pass phrase' }
    return (await post('/admin/account/password', fields, one.cookie)).status
  }
  expect(await change('wrong')).toBe(422)
  expect(await change(password)).toBe(303)
  expect((await open('/admin', one.cookie)).status).toBe(200)
  expect((await open('/admin', two.cookie)).status).toBe(401)
  expect((await signIn('tom', '', 'a new pass phrase')).status).toBe(303)
  for (let guess = 0; guess < 4; guess += 1) await change('wrong')
  expect(await change('a new pass phrase')).toBe(429)
})

test('the last owner stays one; a disabled operator is out at once, and for good', async () => {
  await app.context.database.updateTable('operators').set({ role: 'support' }).execute()
  await add('boss', 'owner')
  await add('sid')
  const boss = await signIn('boss')
  const sid = await signIn('sid')
  const page = await open('/admin/operators', boss.cookie)
  const change = (id: string, fields: Record<string, string>) =>
    post(
      '/admin/operators/change',
      { csrf: page.csrf, id, current: password, ...fields },
      boss.cookie,
    )
  const demoted = await change('boss', { role: 'support' })
  expect([demoted.status, demoted.text.includes('last owner')]).toEqual([422, true])
  expect((await change('sid', { role: 'support', disabled: 'on' })).status).toBe(303)
  expect((await open('/admin', sid.cookie)).status).toBe(401)
  expect((await signIn('sid')).status).toBe(401)
  // Whose account is opened again signs in anew.
  expect((await change('sid', { role: 'support' })).status).toBe(303)
  expect((await open('/admin', sid.cookie)).status).toBe(401)
  expect((await signIn('sid')).status).toBe(303)
})

test.each(['add', 'change', 'reset'])(
  'a session alone can’t %s an operator: the own password is asked for',
  async (act) => {
    await add(`chief-${act}`, 'owner')
    await add(`clerk-${act}`)
    const boss = await signIn(`chief-${act}`)
    const { csrf, text } = await open('/admin/operators', boss.cookie)
    expect(text).toContain('Current password')
    const before = await app.context.database.selectFrom('operators').selectAll().execute()
    for (const given of [{}, { current: 'wrong' }]) {
      const id = act === 'add' ? 'eve' : `clerk-${act}`
      const fields = { csrf, id, role: 'owner', ...given }
      const { status } = await post(`/admin/operators/${act}`, fields, boss.cookie)
      expect(status).toBe(422)
    }
    const after = await app.context.database.selectFrom('operators').selectAll().execute()
    expect(after).toEqual(before)
  },
)

test('who does what is logged', async () => {
  await add('bea', 'owner')
  const owner = await signIn('bea')
  const { csrf } = await open('/admin/operators', owner.cookie)
  const added = await post(
    '/admin/operators/add',
    { csrf, id: 'New.One', role: 'support', current: password },
    owner.cookie,
  )
  const [, first = ''] = /<pre[^>]*>([^<]+)<\/pre>/.exec(added.text) ?? []
  expect((await signIn('new.one', '', first)).status).toBe(303)
  const rows = await app.context.database
    .selectFrom('operator_log')
    .selectAll()
    .orderBy('id', 'desc')
    .limit(1)
    .execute()
  expect(rows[0]).toMatchObject({
    operator_name: 'bea',
    act: 'operator add',
    subject: 'new.one',
    after: { name: 'new.one', role: 'support' },
    outcome: 'done',
  })
  expect(JSON.stringify(rows[0])).not.toContain(first)
})

test('a form that is out of date shows its page to those alone who may see it', async () => {
  const send = async (name: string, role: OperatorRole) => {
    await add(name, role)
    const { cookie } = await signIn(name)
    const { status, text } = await post('/admin/brand/save', { csrf: 'old' }, cookie)
    return [
      status,
      text.includes('This form is out of date'),
      text.includes('action="/admin/brand/save"'),
    ]
  }
  expect(await send('olga', 'owner')).toEqual([403, true, true])
  expect(await send('mo', 'moderator')).toEqual([403, false, false])
})

test('a browser from which somebody has signed in is known for 180 days', async () => {
  await add('lena')
  const response = await fetch(`${app.url}/admin/sign-in`, {
    method: 'POST',
    body: new URLSearchParams({ name: 'lena', secret: password, code: '' }),
    headers: { origin: app.url },
    redirect: 'manual',
  })
  const device = response.headers
    .getSetCookie()
    .find((line) => line.startsWith('starside_operator_device='))
  expect(device).toContain('; Path=/admin; HttpOnly; SameSite=Strict; Max-Age=15552000')
})
