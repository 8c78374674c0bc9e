import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { inTransaction } from '../../platform/db/database.ts'
import { mailedToken } from '../../testing/mailed-token.ts'
import { openBrowser } from '../../testing/open-browser.ts'
import { newNetwork } from '../../testing/new-network.ts'
import { newPerson, openTestApp } from '../../testing/open-test-app.ts'
import type { TestApp } from '../../testing/open-test-app.ts'
import { payPendingBonus } from './welcome-user.ts'

const perAddressMax = 2

let app: TestApp
let withoutBonus: TestApp
beforeAll(async () => {
  const settings = { TRUST_PROXY: '1', REFERRALS_PER_ADDRESS_PER_DAY: String(perAddressMax) }
  ;[app, withoutBonus] = await Promise.all([
    openTestApp({
      settings: { ...settings, REFERRAL_BONUS_AFTER_CONFIRMATION: 'true' },
      worker: false,
    }),
    openTestApp({ settings: { ...settings, REFERRAL_BONUS_CREDITS: '0' }, worker: false }),
  ])
})
afterAll(async () => {
  await Promise.all([app[Symbol.asyncDispose](), withoutBonus[Symbol.asyncDispose]()])
})

let address: string
beforeEach(() => {
  address = `${newNetwork()}.1`
})

const newMailbox = () => `m${crypto.randomUUID().replaceAll('-', '')}`

async function balanceOf(token: string, of = app): Promise<number> {
  return (await of.call('/api/user?action=profile', { token })).body.user.creditsBalance
}

async function openReferrer(of = app): Promise<string> {
  const { token } = await of.register()
  return (await of.call('/api/user?action=profile', { token })).body.user.referralCode
}

/** Registers somebody with a code, who has a mailbox of their own unless one is given. */
async function join(email = `${newMailbox()}@example.org`, of = app) {
  const after = of.mails.length
  const referralCode = await openReferrer(of)
  const person = { ...newPerson(), email, referralCode }
  const browser = openBrowser(of, { address })
  const { body } = await browser.call('/api/auth?action=register', person)
  return { email, after, token: body.token, userId: body.user.userId, notices: body.notices }
}

async function confirm({ email, after }: { email: string; after: number }): Promise<void> {
  const token = await mailedToken(app, email, { after })
  expect((await app.call('/api/auth?action=confirm-email', { json: { token } })).status).toBe(200)
}

describe('a bonus that waits for the confirmed e-mail', () => {
  test('is told at registration, and given to the one who confirms', async () => {
    const [one, other] = [await join(), await join()]
    expect(one.notices).toEqual(['referral_bonus_after_confirmation'])
    await confirm(one)
    expect([await balanceOf(one.token), await balanceOf(other.token)]).toEqual([3, 1])
  })

  test('counts towards the limits while it waits', async () => {
    const joined = []
    for (let count = 0; count <= perAddressMax; count += 1) joined.push(await join())
    expect(joined.map(({ notices }) => notices[0])).toEqual([
      'referral_bonus_after_confirmation',
      'referral_bonus_after_confirmation',
      'referral_bonus_withheld',
    ])
  })

  test('counts towards the limits once it is paid', async () => {
    for (let count = 0; count < perAddressMax; count += 1) await confirm(await join())
    expect((await join()).notices).toEqual(['referral_bonus_withheld'])
  })

  test('is not given by a confirmation to whom it was withheld from', async () => {
    const name = newMailbox()
    await join(`${name}@example.org`)
    const again = await join(`${name}+2@example.org`)
    await confirm(again)
    expect(await balanceOf(again.token)).toBe(0)
  })

  test('is not given when the operator has ended bonuses meanwhile', async () => {
    const { token, userId } = await join()
    await inTransaction(app.context.database, (transaction) =>
      payPendingBonus(
        transaction,
        { userId, now: app.context.clock() },
        {
          bonusCredits: 0,
          perReferrerMax: 1,
          perAddressPerDayMax: 1,
          perDeviceMax: 1,
          afterConfirmation: true,
        },
      ),
    )
    expect(await balanceOf(token)).toBe(1)
  })
})

test('what brought no bonus leaves the limits as they were', async () => {
  const name = newMailbox()
  for (let count = 0; count < perAddressMax + 2; count += 1) {
    await join(`${name}+${count}@example.org`)
  }
  expect((await join()).notices).toEqual(['referral_bonus_after_confirmation'])
})

test('without bonuses a friend is counted and told that there is none', async () => {
  const joined = await join(undefined, withoutBonus)
  expect(joined.notices).toEqual(['referral_bonus_withheld'])
  expect(await balanceOf(joined.token, withoutBonus)).toBe(1)
})
