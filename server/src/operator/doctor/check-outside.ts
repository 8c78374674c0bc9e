import { isTestMoney } from '@starside/contract/payment-providers.ts'
import nodemailer from 'nodemailer'
import type { Config } from '../../config.ts'
import type { OutsideParts, RunningParts, Finding } from './check.ts'
import { codeOf } from '../../platform/errors/code-of.ts'
import { SettingsError } from '../../platform/settings/settings-error.ts'
import { openStore } from '../../platform/storage/open-store.ts'
import { ok, problem, warning } from './check.ts'

const answerWithinMs = 5_000
const paymentsTimeoutMs = 8_000
const skewMaxMs = 30_000

export async function checkPublicUrl(parts: OutsideParts): Promise<Finding[]> {
  const { publicUrl, environment, trustProxy } = parts.config
  const findings: Finding[] = []
  const isSecure = publicUrl.startsWith('https:')
  if (environment === 'production' && !isSecure) {
    findings.push(problem(`${publicUrl} is not encrypted.`, 'Set PUBLIC_URL to an https address.'))
  }
  if (isSecure && trustProxy === false) {
    findings.push(
      warning(
        'Every caller counts as the reverse proxy, and limits meet all at once.',
        'Set TRUST_PROXY to the number of proxies in front.',
      ),
    )
  }
  return [...findings, ...(await checkAddress(publicUrl, 'PUBLIC_URL', parts))]
}

/** The same for users, who come from elsewhere: neither from this machine nor unencrypted. */
export async function checkAddressForPeople(parts: OutsideParts): Promise<Finding[]> {
  const { publicUrl, publicHost } = parts.config
  if (publicHost === 'localhost' || /^(?:127\.|\[::1\])/.test(publicHost)) {
    return [problem(`${publicUrl} is this machine alone.`, 'Set PUBLIC_URL.')]
  }
  // In production too, or in a rehearsal of it.
  return checkPublicUrl({ ...parts, config: { ...parts.config, environment: 'production' } })
}

/** Whether payment providers find us. Only as far as it can be told from this machine. */
export async function checkCallbacks(parts: OutsideParts): Promise<Finding[]> {
  const { payments, publicUrl } = parts.config
  if (isTestMoney(payments.active)) {
    return [ok('Test money is taken; its callbacks come from this machine.')]
  }
  const address = payments.callbackBaseUrl ?? publicUrl
  if (/^https?:\/\/(?:localhost|127\.|\[::1\]|10\.|192\.168\.)/.test(address)) {
    return [
      problem(
        `${payments.active} can't reach ${address}.`,
        'Set PUBLIC_URL or PAYMENT_CALLBACK_URL to an address of the internet.',
      ),
    ]
  }
  return address === publicUrl ? [] : checkAddress(address, 'PAYMENT_CALLBACK_URL', parts)
}

async function checkAddress(
  address: string,
  variable: string,
  { fetch, clock }: OutsideParts,
): Promise<Finding[]> {
  const answer = await fetch(`${address}/api/health/live`, {
    signal: AbortSignal.timeout(answerWithinMs),
  }).catch((error: unknown) => describe(error))
  if (typeof answer === 'string' || !answer.ok) {
    const reason = typeof answer === 'string' ? answer : `it answered ${answer.status}`
    return [
      warning(
        `${address} does not lead here: ${reason}.`,
        `Start the program, and look at ${variable}, DNS and the reverse proxy.`,
      ),
    ]
  }
  void answer.body?.cancel()
  const skewMs = Math.abs(new Date(answer.headers.get('date') ?? '').getTime() - clock().getTime())
  const findings = [ok(`${address} leads here.`)]
  if (skewMs > skewMaxMs) {
    findings.push(problem('The clock there differs.', 'Turn on time synchronisation (NTP).'))
  }
  return findings
}

export async function checkPaymentProvider({ payments, site }: RunningParts): Promise<Finding[]> {
  const { active } = payments
  if (isTestMoney(active.name)) {
    return [warning('Test money: nobody pays yet.', 'Set PAYMENT_PROVIDER.')]
  }
  const prices = site.values().packages.map(({ priceCents }) => priceCents)
  try {
    const warnings = await active.checkPrices(prices, AbortSignal.timeout(paymentsTimeoutMs))
    if (warnings.length === 0) return [ok(`${active.name} answers, and takes every package.`)]
    return warnings.map((text) => warning(text, 'Look at the packages.', '/admin/packages'))
  } catch {
    return [problem(`${active.name} does not answer with this key.`, 'Look at its settings.')]
  }
}

export async function checkStore(config: Config): Promise<Finding> {
  const where = config.s3 === undefined ? 'the data folder' : `the bucket ${config.s3.bucket}`
  const key = `check/${crypto.randomUUID()}`
  try {
    const store = await openStore(config, { warn: () => undefined })
    await store.put(key, Buffer.from(key), 'text/plain')
    const read = await store.get(key)
    await store.delete(key)
    if (read !== undefined && Buffer.from(read).toString() === key) {
      return ok(`Pictures are written to and read from ${where}.`)
    }
    return problem(`${where} gives back something else.`, 'Look at what stands before the store.')
  } catch (error) {
    const mend = config.s3 === undefined ? 'Look at DATA_DIR and its disk.' : 'Look at S3_….'
    const text = error instanceof SettingsError ? error.message : describe(error)
    return problem(`Pictures can't be kept in ${where}: ${text}.`, mend)
  }
}

export async function checkMail({ smtpUrl, environment }: Config): Promise<Finding> {
  if (smtpUrl === undefined) {
    return environment === 'production'
      ? warning('No mail is sent: forgotten passwords stay so.', 'Set SMTP_URL.')
      : ok('Mails are shown in the terminal.')
  }
  const transport = nodemailer.createTransport({
    url: smtpUrl,
    connectionTimeout: answerWithinMs,
    greetingTimeout: answerWithinMs,
    socketTimeout: answerWithinMs,
  })
  return transport.verify().then(
    () => ok('The mail server takes mails.'),
    (error: unknown) =>
      problem(`The mail server refuses: ${describe(error)}.`, 'Look at SMTP_URL.'),
  )
}

/** The same for users, who wait for mails even where only a trial was meant. */
export async function checkMailForPeople({ config, mailer }: RunningParts): Promise<Finding[]> {
  if (config.smtpUrl !== undefined) return [await checkMail(config)]
  const level = mailer.isSetUp ? warning : problem
  return [level('Nobody can reset a password, and no receipt is sent.', 'Set SMTP_URL.')]
}

/** An error's words without addresses that hold a password. */
function describe(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown'
  const cause = error.cause instanceof Error ? error.cause : error
  return (codeOf(cause) || cause.message).replaceAll(/\/\/[^/@\s]*@/g, '//…@')
}
