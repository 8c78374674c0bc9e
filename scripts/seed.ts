/**
 * `npm run seed -- [--url ADDRESS] [--people NUMBER]`: fills a running installation that takes test money,
 * through its API, with people, selfies, purchases and the like; prints everybody's password.
 */
import { setTimeout } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { peopleAnswer, presetsAnswer } from '@starside/contract/presets.ts'
import { publicSettingsAnswer } from '@starside/contract/public-settings.ts'
import { z } from 'zod'

const password = 'a password for trying'
const registered = z.object({ token: z.string() })
const profile = z.object({
  user: z.object({ referralCode: z.string(), creditsBalance: z.number() }),
})
const ordered = z.object({ data: z.object({ paymentUrl: z.string() }) })
const generated = z.object({ generation: z.object({ generationId: z.string() }) })

const { values } = parseArgs({
  options: {
    url: { type: 'string', default: 'http://localhost:3000' },
    people: { type: 'string', default: '8' },
  },
})
const base = values.url.replace(/\/+$/u, '')
const count = Number(values.people)
if (!Number.isInteger(count) || count < 1 || count > 25) {
  console.error('--people takes a number from 1 to 25; one network may register 30 accounts a day.')
  process.exit(2)
}

try {
  await seed()
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error))
  process.exit(1)
}

async function seed(): Promise<void> {
  const { testMoney } = publicSettingsAnswer.parse(await call('/api/config'))
  if (!testMoney) throw new Error(`${base} takes real money, so nothing was filled in.`)
  const { people } = peopleAnswer.parse(await call('/api/people'))
  const { presets } = presetsAnswer.parse(await call('/api/ai?action=presets'))
  let referralCode: string | undefined
  for (let number = 1; number <= count; number += 1) {
    const token = await register(number, referralCode)
    referralCode ??= (await readProfile(token)).referralCode
    const buys = number % 3 === 0
    if (buys) await buy(token, number % 2 === 0 ? 'premium' : 'basic')
    const selfies = buys ? 3 : 1
    for (let made = 0; made < selfies; made += 1) {
      const face = people[(number + made) % people.length]
      const star = presets[(3 * number + made) % presets.length]
      if (face === undefined || star === undefined) throw new Error('no faces or no stars there')
      const generationId = await makeSelfie(token, face.image, star.id)
      if (number === 1) await shareAndReport(token, generationId)
    }
    console.log(`person-${number}@seed.example: ${selfies} selfies${buys ? ', one purchase' : ''}`)
  }
  console.log(`Password of all: ${password}`)
}

async function register(number: number, referralCode: string | undefined): Promise<string> {
  const body = {
    email: `person-${number}@seed.example`,
    password,
    username: `Person ${number}`,
    referralCode,
  }
  return registered.parse(await call('/api/auth?action=register', { body })).token
}

async function makeSelfie(token: string, image: string, presetId: string): Promise<string> {
  const photo = await fetch(base + image)
  const form = new FormData()
  form.set('userPhoto', await photo.blob(), 'photo.jpg')
  form.set('presetId', presetId)
  const answer = await call('/api/ai?action=generate', { token, form })
  return generated.parse(answer).generation.generationId
}

/** Orders a package, simulates its buyer at the sandbox, and waits for credits. */
async function buy(token: string, packageType: string): Promise<void> {
  const answer = await call('/api/orders', { token, body: { packageType } })
  const { paymentUrl } = ordered.parse(answer).data
  const iid = new URL(paymentUrl).searchParams.get('iid') ?? ''
  const { creditsBalance } = await readProfile(token)
  await fetch(paymentUrl, { method: 'POST', body: new URLSearchParams({ iid, action: 'pay' }) })
  const deadline = AbortSignal.timeout(60_000)
  while ((await readProfile(token)).creditsBalance === creditsBalance) {
    await setTimeout(200, undefined, { signal: deadline })
  }
}

async function readProfile(token: string): Promise<z.infer<typeof profile>['user']> {
  return profile.parse(await call('/api/user?action=profile', { token })).user
}

async function shareAndReport(token: string, generationId: string): Promise<void> {
  await call(`/api/generations/${generationId}/share`, { token, body: {} })
  await call('/api/reports', {
    body: {
      link: generationId,
      reason: 'other',
      details: 'Filed by npm run seed.',
      contact: 'reporter@seed.example',
      signature: 'Robin Example',
      goodFaith: true,
    },
  })
}

interface Request {
  readonly token?: string
  readonly body?: object
  readonly form?: FormData
}

/** @throws Error with the server's own sentence */
async function call(path: string, { token, body, form }: Request = {}): Promise<unknown> {
  const init: RequestInit = {
    method: body === undefined && form === undefined ? 'GET' : 'POST',
    headers: {
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    body: form ?? (body === undefined ? null : JSON.stringify(body)),
  }
  const response = await fetch(base + path, init).catch(() => {
    throw new Error(`Nothing answers at ${base}; start it with npm run dev, or name it by --url.`)
  })
  const answer: unknown = await response.json()
  if (response.ok) return answer
  const { error } = z.object({ error: z.string() }).catch({ error: '' }).parse(answer)
  throw new Error(`${path}: ${error || `HTTP ${response.status}`}`)
}
