import { isTestMoney } from '@starside/contract/payment-providers.ts'
import { sql } from 'kysely'
import type { Context } from '../context.ts'

/** How far a step is: done, to be looked at, or in the way of business. */
export type StepState = 'green' | 'amber' | 'red'

export interface Step {
  name: string
  state: StepState
  /** What was found, and what to do about it. */
  finding: string
  /** Where that is done. */
  href?: string
}

const checkTimeoutMs = 8_000
const clockOffMaxMs = 2_000

/** Looks at everything that an installation needs before people come; asks the payment provider. */
export async function readFirstSteps(context: Context): Promise<Step[]> {
  const [payments, images, legal, clock, operators] = await Promise.all([
    checkPayments(context),
    checkImages(context),
    checkLegal(context),
    checkClock(context),
    checkOperators(context),
  ])
  return [
    checkAddress(context),
    checkBrand(context),
    checkMail(context),
    payments,
    images,
    ...legal,
    checkStars(context),
    operators,
    {
      name: 'Backup',
      state: 'amber',
      finding:
        'This page can’t see your backups. Run `npm run admin -- backup` by a timer, keep it elsewhere, and try a restore.',
    },
    clock,
  ]
}

function checkAddress({ config }: Context): Step {
  const { publicUrl, publicHost } = config
  const name = 'Address'
  if (publicHost === 'localhost' || /^(?:127\.|\[::1\])/.test(publicHost)) {
    return { name, state: 'red', finding: `${publicUrl} is this machine alone. Set PUBLIC_URL.` }
  }
  return publicUrl.startsWith('https:')
    ? { name, state: 'green', finding: publicUrl }
    : { name, state: 'red', finding: `${publicUrl} is not encrypted. Set PUBLIC_URL to https.` }
}

function checkBrand({ site, config }: Context): Step {
  const values = site.values()
  const isOwn = values['brand.contactEmail'] !== `hello@${config.publicHost}`
  return isOwn
    ? { name: 'Brand', state: 'green', finding: values['brand.name'], href: '/admin/brand' }
    : {
        name: 'Brand',
        state: 'amber',
        finding: `People write to ${values['brand.contactEmail']}. Is that read? Set name, logo and contact.`,
        href: '/admin/brand',
      }
}

function checkMail({ mailer, config }: Context): Step {
  const name = 'Mail'
  if (config.smtpUrl !== undefined) {
    return { name, state: 'green', finding: 'A mail server is set. Send yourself a test below.' }
  }
  return {
    name,
    state: mailer.isSetUp ? 'amber' : 'red',
    finding: 'SMTP_URL is not set: nobody can reset a password, and no receipt is sent.',
  }
}

async function checkPayments({ payments, site }: Context): Promise<Step> {
  const name = 'Payments'
  const { active } = payments
  if (isTestMoney(active.name)) {
    return { name, state: 'amber', finding: 'Test money: nobody pays yet. Set PAYMENT_PROVIDER.' }
  }
  const prices = site.values().packages.map(({ priceCents }) => priceCents)
  try {
    const finding = await active.checkPrices(prices, AbortSignal.timeout(checkTimeoutMs))
    return finding.length === 0
      ? { name, state: 'green', finding: `${active.name} answers, and takes every package.` }
      : { name, state: 'amber', finding: finding.join(' '), href: '/admin/packages' }
  } catch {
    return {
      name,
      state: 'red',
      finding: `${active.name} does not answer with this key. Look at its settings.`,
    }
  }
}

async function checkImages({ database, clock }: Context): Promise<Step> {
  const name = 'Image providers'
  const rows = await database
    .selectFrom('image_providers')
    .select(['name', 'open_until', 'last_error_kind'])
    .execute()
  const paused = rows.filter(({ open_until }) => open_until !== null && open_until > clock())
  if (paused.length > 0) {
    const finding = paused
      .map((row) => `${row.name} (${row.last_error_kind ?? 'failing'})`)
      .join(', ')
    return {
      name,
      state: 'red',
      finding: `Paused: ${finding}. Try \`npm run admin -- providers check\`.`,
    }
  }
  return {
    name,
    state: 'green',
    finding:
      rows.length === 0
        ? 'The embedded compositor makes the pictures; it needs no account.'
        : `In use: ${rows.map((row) => row.name).join(', ')}.`,
  }
}

async function checkLegal({ database, site }: Context): Promise<Step[]> {
  const rows = await database
    .selectFrom('legal_page_versions')
    .select('page')
    .where('published_at', 'is not', null)
    .groupBy('page')
    .execute()
  const isNamed = site.values()['legal.operator'] !== ''
  return (['terms', 'privacy'] as const).map((page): Step => {
    const name = page === 'terms' ? 'Terms' : 'Privacy'
    const href = '/admin/legal'
    if (!isNamed) {
      return {
        name,
        state: 'red',
        finding: 'The text does not say who you are. Fill the blanks.',
        href,
      }
    }
    return rows.some((row) => row.page === page)
      ? { name, state: 'green', finding: 'Published.', href }
      : {
          name,
          state: 'amber',
          finding: 'The starting text is shown. Read it and publish it.',
          href,
        }
  })
}

function checkStars({ presets }: Context): Step {
  const count = presets.list().length
  return {
    name: 'Stars',
    state: count === 0 ? 'red' : 'green',
    finding: `${count} are offered.`,
    href: '/admin/presets',
  }
}

async function checkOperators({ database, config }: Context): Promise<Step> {
  const name = 'Operators'
  const href = '/admin/operators'
  const rows = await database
    .selectFrom('operators')
    .select(['name', 'totp_confirmed_at'])
    .where('disabled_at', 'is', null)
    .execute()
  if (rows.length === 0) {
    return { name, state: 'amber', finding: 'There is none of a name. Add yourself.', href }
  }
  const bare = rows.filter(({ totp_confirmed_at }) => totp_confirmed_at === null)
  if (bare.length > 0) {
    const names = bare.map((row) => row.name).join(', ')
    return { name, state: 'amber', finding: `Without a second factor: ${names}.`, href }
  }
  return config.adminPasswordHash === undefined
    ? { name, state: 'green', finding: 'All have a second factor.', href }
    : {
        name,
        state: 'amber',
        finding: 'ADMIN_PASSWORD_HASH opens all without one. Unset it.',
        href,
      }
}

async function checkClock({ database }: Context): Promise<Step> {
  const name = 'Clock'
  const from = Date.now()
  const { rows } = await sql<{ now: Date }>`select clock_timestamp() as now`.execute(database)
  const middle = (from + Date.now()) / 2
  const offMs = Math.abs((rows[0]?.now.getTime() ?? 0) - middle)
  return offMs < clockOffMaxMs
    ? { name, state: 'green', finding: 'This node and the database agree.' }
    : {
        name,
        state: 'red',
        finding: `This node and the database are ${Math.round(offMs / 1_000)} s apart. Set both by NTP.`,
      }
}
