import { contrastOf, luminanceOf, passingColour } from '@starside/contract/contrast.ts'
import type { FastifyReply } from 'fastify'
import { fillHtml, html, sendHtml } from '../platform/http/html.ts'
import type { Html } from '../platform/http/html.ts'
import { toldId } from './form-fields.ts'
import { navigationGroups } from './operator-page.ts'
import type { Told } from './cookies.ts'
import type { OperatorCall, OperatorPage } from './operator-page.ts'
import { operatorPages } from './operator-pages.ts'
import type { Operator } from './operator-sessions.ts'
import { mayDo } from './roles.ts'
import { readFileSync } from 'node:fs'
import { readWebPages } from '../platform/http/web-app.ts'
import { accentFile, accentStylesOf } from '../platform/site/brand-page.ts'
import type { SiteValues } from '../platform/site/site-settings.ts'

export type Look = { siteName: string; styleSheets: string[] }

/** Sends a page in its frame: navigation by role, heading, message, content. */
export function sendFramed(
  reply: FastifyReply,
  framed: Pick<OperatorCall, 'operator' | 'csrfToken'> & {
    look: Look
    page: OperatorPage
    told: Told | undefined
    body: Html
  },
): FastifyReply {
  const { look, page, operator, csrfToken, told, body } = framed
  const { siteName, styleSheets } = look
  return sendHtml(reply, {
    title: `${page.title} · ${siteName} operators`,
    style: operatorStyle,
    styleSheets,
    script: operatorScript,
    takesForms: true,
    body: fillHtml(pageFrame, {
      ...operator,
      siteName,
      csrfToken,
      links: navigation(page, operator),
      title: page.title,
      told: told && sentence(told, body),
      body,
    }),
  })
}

/** Has the focus, unless what was done or is wrong does. */
function sentence({ kind, text }: Told, body?: Html): Html {
  const role = kind === 'done' ? 'status' : 'alert'
  const focus = body?.text.includes(' autofocus') !== true && html`tabindex="-1" autofocus`
  const [said, undo] = text.split(/ (?=You can undo it under Log\.$)/)
  const link = undo && html` <a href="/admin/log">${undo}</a>`
  return html`<p class="told ${kind}" id="${toldId}" role="${role}" ${focus}>${said}${link}</p>`
}

function navigation({ path: current }: OperatorPage, { role }: Operator): Html {
  return html`<nav aria-label="Pages">
    ${navigationGroups.map((group) => {
      const open = operatorPages.filter((page) => page.group === group && mayDo(role, page.right))
      if (open.length === 0) return false
      return html`<h2>${group}</h2>
        <ul>
          ${open.map(
            ({ path, title }) =>
              html`<li>
                <a href="${path}" ${isWithin(current, path) && html`aria-current="page"`}
                  >${title}</a
                >
              </li>`,
          )}
        </ul>`
    })}
  </nav>`
}

/** Whether a page is that of the link or one that is reached from it. */
function isWithin(current: string, path: string): boolean {
  return current === path || (path !== '/admin' && current.startsWith(`${path}/`))
}

export function sendSignIn(
  reply: FastifyReply,
  { siteName, styleSheets }: Look,
  problem?: { text: string; name: string },
): FastifyReply {
  return sendHtml(reply, {
    title: `Sign in · ${siteName} operators`,
    style: operatorStyle,
    styleSheets,
    takesForms: true,
    body: fillHtml(signInForms, {
      siteName,
      problem: problem && sentence({ kind: 'problem', text: problem.text }),
      name: problem?.name,
      code: problem?.name && html`open`,
    }),
  })
}

/** Sends a page that says why a request was refused. */
export function sendError(reply: FastifyReply, { styleSheets }: Look, problem: string) {
  const body = fillHtml(errorPage, { problem })
  return sendHtml(reply, { title: problem, style: operatorStyle, styleSheets, body })
}

const signInForms = readFileSync(new URL('sign-in.html', import.meta.url), 'utf8')
const errorPage = readFileSync(new URL('error-page.html', import.meta.url), 'utf8')
const pageFrame = readFileSync(new URL('page-frame.html', import.meta.url), 'utf8')

/** What the operator's pages look like beside what they take from the web app. */
export const operatorStyle = readFileSync(new URL('operator-style.css', import.meta.url), 'utf8')

/** What pages can do beyond what they can without. */
export const operatorScript = [
  luminanceOf,
  contrastOf,
  passingColour,
  readFileSync(new URL('operator-script.js', import.meta.url), 'utf8'),
].join('\n')

/** The stylesheets of the web app: its type, its colours in both themes, and the brand's accent. */
export async function openAppStyles(): Promise<(values: SiteValues) => string[]> {
  const { app = '' } = (await readWebPages()) ?? {}
  const [, built] = /<link rel="stylesheet"[^>]*href="([^"]+)"/.exec(app) ?? []
  return (values) => {
    const accent = accentStylesOf(values)
    const own = accent === undefined ? [] : [`/brand/${accentFile(accent)}`]
    return built === undefined ? [] : [built, ...own]
  }
}
