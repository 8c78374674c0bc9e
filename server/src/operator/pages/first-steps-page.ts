import { keysOf } from '@starside/contract/keys-of.ts'
import { readFileSync } from 'node:fs'
import { z } from 'zod'
import { tryImages } from '../doctor/check-images.ts'
import type { Finding, RunningParts } from '../doctor/check.ts'
import { checks } from '../doctor/checks.ts'
import { fillHtml, html } from '../../platform/http/html.ts'
import type { Html } from '../../platform/http/html.ts'
import { defineForm } from '../operator-page.ts'
import type { OperatorCall, PageBody } from '../operator-page.ts'
import { form } from '../form-fields.ts'
import { counted, showOnce } from '../tables.ts'

const right = 'see first steps'
/** The worst first, each told by a word, as not everybody sees the colours. */
const levels = {
  problem: html`<span class="bad">Needed</span>`,
  warning: html`<span class="warn">Recommended</span>`,
  ok: html`<span class="good">Done</span>`,
}

/** The worst that a check found, with the text of all of it. */
interface Step extends Finding {
  name: string
}

/** What an installation needs; payment provider, mail and public address get some seconds each. */
export async function readFirstSteps(parts: RunningParts): Promise<Step[]> {
  const found = await Promise.all(
    checks.map(async ({ name, whileRunning }) => ({
      name,
      findings: (await whileRunning?.(parts)) ?? [],
    })),
  )
  return found.flatMap(({ name, findings }) => summarise(name, findings) ?? [])
}

function summarise(name: string, findings: readonly Finding[]): Step | undefined {
  const [worst] = keysOf(levels).flatMap((level) => findings.filter((one) => one.level === level))
  if (worst === undefined) return undefined
  const texts = findings.flatMap(({ text, mend, href }) => [
    text,
    ...(mend === undefined || href !== undefined ? [] : [mend]),
  ])
  return { ...worst, name, text: texts.join(' ') }
}

export const firstStepsPage: PageBody = {
  async show(call) {
    const steps = await readFirstSteps(call.context)
    return html`${countOpen(steps)} ${showSteps(call, steps)}`
  },
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
      fields: z.object({
        to: z.email('Please enter a full e-mail address, such as us@example.com.').max(254),
      }),
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

/** The steps that need something, for the home page, in one line where they are folded; undefined once all are done. */
export function showOpenSteps(call: OperatorCall, steps: readonly Step[], isFolded: boolean) {
  const open = steps.filter(({ level }) => level !== 'ok')
  if (open.length === 0) return undefined
  // Their forms are those of the page of all steps.
  const path = '/admin/first-steps'
  const shown = html`${showSteps({ ...call, path }, open)}
    <p><a href="${path}">All ${steps.length} steps</a></p>`
  if (!isFolded)
    return html`<h2>First steps</h2>
      ${countOpen(steps)} ${shown}`
  return html`<details>
    <summary>First steps: ${open.length} of ${steps.length} open</summary>
    ${shown}
  </details>`
}

function countOpen(steps: readonly Step[]) {
  const done = steps.filter(({ level }) => level === 'ok').length
  return html`<p id="steps-done" data-state="${done}">
    <progress max="${steps.length}" value="${done}" aria-label="Steps that are done"></progress>
    ${done === steps.length ? 'All is well.' : counted(`{count, plural, one {# of ${steps.length} needs} other {# of ${steps.length} need}} attention.`, steps.length - done)}
  </p>`
}

function showSteps(call: OperatorCall, steps: readonly Step[]) {
  const inOrder = keysOf(levels).flatMap((level) => steps.filter((step) => step.level === level))
  return html`<ul class="steps">
    ${inOrder.map((step) => {
      const { name, level, text } = step
      return html`<li
        class="${level}"
        id="step-${name.replaceAll(' ', '-')}"
        data-state="${level}"
        ${level !== 'ok' && html`data-renews="10000"`}
      >
        <div><b>${name}</b> ${levels[level]}</div>
        <p>${withCode(text)}</p>
        <div class="acts">${mendOf(call, step)} ${formOf(call, name)}</div>
      </li>`
    })}
  </ul>`
}

/** What stands between backticks is code. */
export function withCode(text: string): Html {
  const parts = text.split('`')
  return html`${parts.map((part, at) => (at % 2 === 0 ? part : html`<code>${part}</code>`))}`
}

/** A link to where it is set, or the command or the lines of settings that do it, to be copied. */
function mendOf({ context }: OperatorCall, { mend = '', href, copy }: Step) {
  if (href !== undefined)
    return html`<a class="button" href="${href}">${mend.replace(/\.$/, '')}</a>`
  if (copy === undefined) return false
  const [variable = ''] = copy.split('=')
  const isSetting = variable !== copy
  const { settingsFile } = context.config
  return html`<details>
    <summary>${isSetting ? `How to set ${variable}` : 'Copy the command'}</summary>
    ${showOnce(copy)} ${isSetting && fillHtml(settingHelp, { variable, settingsFile })}
  </details>`
}

const settingHelp = readFileSync(new URL('setting-help.html', import.meta.url), 'utf8')

function formOf(call: OperatorCall, name: string) {
  const { images, config } = call.context
  if (name === 'Mail' && config.smtpUrl !== undefined) {
    return form(
      call,
      'test-mail',
      (fields) => fields.text({ name: 'to', label: 'To', type: 'email', isRequired: true }),
      { button: 'Send a test mail', isFolded: true },
    )
  }
  if (name !== 'Image providers' || images.hostedCount === 0) return false
  return form(
    call,
    'try-images',
    () =>
      html`<p class="hint">
        Each makes a small picture of two people who do not exist. The vendor charges for it. This
        takes up to 90 seconds.
      </p>`,
    { button: 'Try the image providers', isFolded: true },
  )
}
