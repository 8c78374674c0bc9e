import { isTestMoney } from '@starside/contract/payment-providers.ts'
import type { Context } from '../context.ts'
import { checkCallbacks, checkMail, checkPublicUrl } from '../doctor/check-outside.ts'
import { problem } from '../doctor/finding.ts'
import { checkProvider } from '../generation/providers/check-providers.ts'
import { findCheck, saveCheck } from './operator-checks.ts'
import { stepOf } from './step.ts'
import type { Step } from './step.ts'

const checkTimeoutMs = 8_000
/** A trial picture is waited for as long as a person would. */
const trialTimeoutMs = 90_000
const imagesCheck = 'images'

/** Whether the public address leads here, by https. */
export async function checkAddress({
  config,
  fetch,
  clock,
}: Pick<Context, 'config' | 'fetch' | 'clock'>): Promise<Step> {
  const name = 'Address'
  const { publicUrl, publicHost } = config
  if (publicHost === 'localhost' || /^(?:127\.|\[::1\])/.test(publicHost)) {
    const found = problem(`${publicUrl} is this machine alone.`, 'Set PUBLIC_URL.')
    return stepOf(name, [found])
  }
  const isSecure = publicUrl.startsWith('https:')
  const found = isSecure
    ? []
    : [problem(`${publicUrl} is not encrypted.`, 'Set PUBLIC_URL to an https address.')]
  const looked = await checkPublicUrl(config, { fetch, now: clock })
  // In production the check says the same of an address without https.
  return stepOf(name, [...found, ...looked.filter(({ text }) => text !== found[0]?.text)])
}

/** Whether payment providers find us. */
export async function checkCallbackAddress({
  config,
  fetch,
  clock,
}: Pick<Context, 'config' | 'fetch' | 'clock'>): Promise<Step> {
  const findings = await checkCallbacks(config, { fetch, now: clock })
  const name = 'Callbacks'
  return findings.length === 0
    ? { name, state: 'green', finding: 'They come to the public address, as above.' }
    : stepOf(name, findings)
}

/** Whether mails can be sent. */
export async function checkMailServer({
  mailer,
  config,
}: Pick<Context, 'mailer' | 'config'>): Promise<Step> {
  const name = 'Mail'
  if (config.smtpUrl === undefined) {
    return {
      name,
      state: mailer.isSetUp ? 'amber' : 'red',
      finding: 'SMTP_URL is not set: nobody can reset a password, and no receipt is sent.',
    }
  }
  return stepOf(name, [await checkMail(config)])
}

/** Whether the payment provider takes our key and our prices. */
export async function checkPayments({
  payments,
  site,
}: Pick<Context, 'payments' | 'site'>): Promise<Step> {
  const name = 'Payments'
  const { active } = payments
  if (isTestMoney(active.name)) {
    return { name, state: 'amber', finding: 'Test money: nobody pays yet. Set PAYMENT_PROVIDER.' }
  }
  const prices = site.values().packages.map(({ priceCents }) => priceCents)
  try {
    const warnings = await active.checkPrices(prices, AbortSignal.timeout(checkTimeoutMs))
    return warnings.length === 0
      ? { name, state: 'green', finding: `${active.name} answers, and takes every package.` }
      : { name, state: 'amber', finding: warnings.join(' '), href: '/admin/packages' }
  } catch {
    const finding = `${active.name} does not answer with this key. Look at its settings.`
    return { name, state: 'red', finding }
  }
}

/**
 * How the image providers stand: paused, as the last trial found them, or embedded. A trial costs
 * money, so that it is made by `tryImages` alone and its result is kept.
 */
export async function checkImages({
  database,
  clock,
  images,
}: Pick<Context, 'database' | 'clock' | 'images'>): Promise<Step> {
  const name = 'Image providers'
  if (images.hostedCount === 0) {
    const finding = 'The embedded compositor makes the pictures; it needs no account.'
    return { name, state: 'green', finding }
  }
  const rows = await database
    .selectFrom('image_providers')
    .select(['name', 'open_until', 'last_error_kind'])
    .execute()
  const paused = rows.filter(({ open_until }) => open_until !== null && open_until > clock())
  if (paused.length > 0) {
    const list = paused.map((row) => `${row.name} (${row.last_error_kind ?? 'failing'})`).join(', ')
    return { name, state: 'red', finding: `Paused after failures: ${list}. Try them below.` }
  }
  const tried = await findCheck(database, imagesCheck)
  if (tried === undefined) {
    return { name, state: 'amber', finding: 'Nobody has tried them yet. Try them below.' }
  }
  const at = tried.checked_at.toISOString().slice(0, 16).replace('T', ' ')
  const state = tried.is_good ? 'green' : 'red'
  return { name, state, finding: `Tried ${at}: ${tried.finding}` }
}

/** Has each hosted provider of the chain make one small picture, and keeps what came of it. */
export async function tryImages({
  engine,
  presets,
  images,
  database,
  clock,
}: Pick<Context, 'engine' | 'presets' | 'images' | 'database' | 'clock'>): Promise<{
  isGood: boolean
  finding: string
}> {
  const { chain, attemptTimeoutMs, picturesMax } = images.settings
  const checks = await Promise.all(
    chain
      .filter(({ name }) => images.find(name) !== undefined)
      .map((step) =>
        checkProvider(
          {
            engine,
            presets,
            provider: images.find(step.name),
            settings: {
              picturesMax,
              attemptTimeoutMs: Math.min(attemptTimeoutMs, trialTimeoutMs),
            },
            now: () => clock().getTime(),
          },
          step,
        ),
      ),
  )
  const isGood = checks.every(({ isWorking }) => isWorking)
  const finding = checks
    .map(({ name, isWorking, detail }) => `${name} ${isWorking ? 'works' : `fails (${detail})`}.`)
    .join(' ')
  await saveCheck(database, { name: imagesCheck, at: clock(), isGood, finding })
  return { isGood, finding }
}
