import { isTestMoney } from '@starside/contract/payment-providers.ts'
import nodemailer from 'nodemailer'
import type { Config } from '../../config.ts'
import type { OutsideParts, RunningParts, Finding } from './check.ts'
import { codeOf } from '../../platform/errors/code-of.ts'
import { SettingsError } from '../../platform/settings/settings-error.ts'
import { openStore } from '../../platform/storage/open-store.ts'
import { finding } from './check.ts'

const answerWithinMs = 5_000
const paymentsTimeoutMs = 8_000
const skewMaxMs = 30_000

export async function checkPublicUrl(parts: OutsideParts): Promise<Finding[]> {
  const { publicUrl, environment, trustProxy } = parts.config
  const isSecure = publicUrl.startsWith('https:')
  return [
    ...(environment === 'production' && !isSecure
      ? [finding('addressNotEncrypted', { publicUrl })]
      : []),
    ...(isSecure && trustProxy === false ? [finding('proxyNotTrusted')] : []),
    ...(await checkAddress(publicUrl, 'PUBLIC_URL', parts)),
  ]
}

/** The same for users, who come from elsewhere: neither from this machine nor unencrypted. */
export async function checkAddressForPeople(parts: OutsideParts): Promise<Finding[]> {
  const { publicUrl, publicHost } = parts.config
  if (publicHost === 'localhost' || /^(?:127\.|\[::1\])/.test(publicHost)) {
    return [finding('addressLocal', { publicUrl })]
  }
  // In production too, or in a rehearsal of it.
  return checkPublicUrl({ ...parts, config: { ...parts.config, environment: 'production' } })
}

/** Whether payment providers find us. Only as far as it can be told from this machine. */
export async function checkCallbacks(parts: OutsideParts): Promise<Finding[]> {
  const { payments, publicUrl } = parts.config
  if (isTestMoney(payments.active)) return [finding('callbacksOfTestMoney')]
  const address = payments.callbackBaseUrl ?? publicUrl
  if (/^https?:\/\/(?:localhost|127\.|\[::1\]|10\.|192\.168\.)/.test(address)) {
    return [finding('callbacksLost', { provider: payments.active, address })]
  }
  return address === publicUrl ? [] : checkAddress(address, 'PAYMENT_CALLBACK_URL', parts)
}

async function checkAddress(address: string, variable: string, { fetch, clock }: OutsideParts) {
  const answer = await fetch(`${address}/api/health/live`, {
    signal: AbortSignal.timeout(answerWithinMs),
  }).catch((error: unknown) => describe(error))
  if (typeof answer === 'string' || !answer.ok) {
    const reason = typeof answer === 'string' ? answer : `it answered ${answer.status}`
    return [finding('addressLeadsElsewhere', { address, reason, variable })]
  }
  void answer.body?.cancel()
  const skewMs = Math.abs(new Date(answer.headers.get('date') ?? '').getTime() - clock().getTime())
  const isOff = skewMs > skewMaxMs
  return [finding('addressLeadsHere', { address }), ...(isOff ? [finding('addressClock')] : [])]
}

export async function checkPaymentProvider({ payments, site }: RunningParts): Promise<Finding[]> {
  const { active } = payments
  if (isTestMoney(active.name)) return [finding('testMoney')]
  const prices = site.values().packages.map(({ priceCents }) => priceCents)
  try {
    const warnings = await active.checkPrices(prices, AbortSignal.timeout(paymentsTimeoutMs))
    if (warnings.length === 0) return [finding('paymentsAnswer', { name: active.name })]
    return warnings.map((reason) => finding('paymentsPrice', { reason }))
  } catch {
    return [finding('paymentsFail', { name: active.name })]
  }
}

export async function checkStore(config: Config): Promise<Finding> {
  const place = config.s3 === undefined ? 'the data folder' : `the bucket ${config.s3.bucket}`
  const key = `check/${crypto.randomUUID()}`
  try {
    const store = await openStore(config, { warn: () => undefined })
    await store.put(key, Buffer.from(key), 'text/plain')
    const read = await store.get(key)
    await store.delete(key)
    const isSame = read !== undefined && Buffer.from(read).toString() === key
    return finding(isSame ? 'storeWorks' : 'storeChanges', { place })
  } catch (error) {
    const reason = error instanceof SettingsError ? error.message : describe(error)
    return finding(config.s3 === undefined ? 'folderFails' : 'bucketFails', { place, reason })
  }
}

export async function checkMail({ smtpUrl, environment }: Config): Promise<Finding> {
  if (smtpUrl === undefined) {
    return finding(environment === 'production' ? 'mailNotSent' : 'mailInTerminal')
  }
  const transport = nodemailer.createTransport({
    url: smtpUrl,
    connectionTimeout: answerWithinMs,
    greetingTimeout: answerWithinMs,
    socketTimeout: answerWithinMs,
  })
  return transport.verify().then(
    () => finding('mailTaken'),
    (error: unknown) => finding('mailRefused', { reason: describe(error) }),
  )
}

/** The same for users, who wait for mails even where only a trial was meant. */
export async function checkMailForPeople({ config, mailer }: RunningParts): Promise<Finding[]> {
  if (config.smtpUrl !== undefined) return [await checkMail(config)]
  return [finding(mailer.isSetUp ? 'mailForTrials' : 'mailForNobody')]
}

/** An error's words without addresses that hold a password. */
function describe(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown'
  const cause = error.cause instanceof Error ? error.cause : error
  return (codeOf(cause) || cause.message).replaceAll(/\/\/[^/@\s]*@/g, '//…@')
}
