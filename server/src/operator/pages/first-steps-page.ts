import { z } from 'zod'
import { tryImages } from '../doctor/check-images.ts'
import type { RunningParts } from '../doctor/check.ts'
import { checks } from '../doctor/checks.ts'
import type { Finding } from '../doctor/finding.ts'
import { html } from '../../platform/http/html.ts'
import type { Html } from '../../platform/http/html.ts'
import { defineForm } from '../operator-page.ts'
import type { OperatorCall, OperatorPage } from '../operator-page.ts'
import { form } from '../form-fields.ts'
import { table } from '../tables.ts'

const right = 'see first steps'
/** Told by a word too, as not everybody sees the colours. */
const states = {
  green: html`<span class="good">green</span>`,
  amber: html`<span class="warn">amber</span>`,
  red: html`<span class="bad">red</span>`,
}
const stateOf = { ok: 'green', warning: 'amber', problem: 'red' } as const

/** What a check found: as bad as the worst of it, with all of it as text. */
export interface Step {
  name: string
  state: keyof typeof states
  finding: string
  href: string | undefined
}

/**
 * Looks at everything that an installation needs before users come; asks the payment provider, the mail
 * server and the public address, each for some seconds at most.
 */
export async function readFirstSteps(parts: RunningParts): Promise<Step[]> {
  const found = await Promise.all(
    checks.map(async ({ name, href, whileRunning }) => ({
      name,
      href,
      findings: (await whileRunning?.(parts)) ?? [],
    })),
  )
  return found.flatMap(({ name, href, findings }) =>
    findings.length === 0 ? [] : { name, href, ...summarise(findings) },
  )
}

function summarise(findings: readonly Finding[]): Pick<Step, 'state' | 'finding'> {
  const worst = (['problem', 'warning', 'ok'] as const).find((level) =>
    findings.some((one) => one.level === level),
  )
  const texts = findings.flatMap(({ text, mend }) => [text, ...(mend === undefined ? [] : [mend])])
  return { state: stateOf[worst ?? 'ok'], finding: texts.join(' ') }
}

/** What an installation needs before people come, and what to do about it. */
export const firstStepsPage: OperatorPage = {
  path: '/admin/first-steps',
  title: 'First steps',
  right,
  group: 'Shop',
  show: showSteps,
  forms: {
    'try-images': defineForm({
      right,
      fields: z.object({}),
      async submit({ context }) {
        if (context.images.hostedCount === 0) return { refused: 'There is none to be tried.' }
        const { isGood, finding } = await tryImages(context)
        return isGood ? { done: finding } : { refused: finding }
      },
    }),
    'test-mail': defineForm({
      right,
      fields: z.object({ to: z.email('An e-mail address.').max(254) }),
      async submit({ context }, { to }) {
        if (!context.mailer.isSetUp) return { refused: 'SMTP_URL is not set.' }
        const name = context.site.values()['brand.name']
        try {
          await context.mailer.send({
            to,
            subject: `A test from ${name}`,
            text: `This is how mails of ${name} arrive.\n\n${context.config.publicUrl}`,
          })
        } catch {
          return { refused: 'The mail server did not take it. The log says why.' }
        }
        return { done: `Handed over for ${to}.` }
      },
    }),
  },
}

async function showSteps(call: OperatorCall): Promise<Html> {
  const steps = await readFirstSteps(call.context)
  const open = steps.filter(({ state }) => state !== 'green').length
  return html`<p>${open === 0 ? 'All is well.' : `${open} of ${steps.length} need attention.`}</p>
    ${table(
      ['Step', 'State', 'What was found', ''],
      steps.map(({ name, state, finding, href }) => [
        name,
        states[state],
        finding,
        href !== undefined && html`<a href="${href}">Open</a>`,
      ]),
    )}
    ${
      call.context.images.hostedCount > 0 &&
      html`<h2>Try the image providers</h2>
        <p>
          Each makes one small picture of two people who do not exist; the vendor charges for it.
        </p>
        ${form(call, 'try-images', () => html``, { button: 'Try them' })}`
    }
    <h2>Send a test mail</h2>
    ${form(
      call,
      'test-mail',
      (field) => field.text({ name: 'to', label: 'To', type: 'email', isRequired: true }),
      { button: 'Send' },
    )}`
}
