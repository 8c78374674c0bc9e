import { inEveryLanguage, languageNames, languages } from '@starside/contract/languages.ts'
import type { Translated } from '@starside/contract/languages.ts'
import { legalPages } from '@starside/contract/legal-pages.ts'
import type { LegalPageName } from '@starside/contract/legal-pages.ts'
import { z } from 'zod'
import { html } from '../../platform/http/html.ts'
import type { Html } from '../../platform/http/html.ts'
import {
  discardDraft,
  findDraft,
  legalTextInput,
  listVersions,
  publishDraft,
  saveDraft,
} from '../../shop/legal/edit-legal-pages.ts'
import { fillBlanks, operatorDetails } from '../../shop/legal/fill-blanks.ts'
import { parseMarkdown } from '../../shop/legal/parse-markdown.ts'
import { writeBlocks } from '../../shop/legal/legal-html.ts'
import { photoRecipients } from '../../selfies/providers/photo-recipients.ts'
import { defineForm } from '../operator-page.ts'
import type { OperatorCall, PageBody } from '../operator-page.ts'
import { form } from '../form-fields.ts'
import { table, time } from '../tables.ts'

const right = 'change pages'
const draftFields = z.object(inEveryLanguage(() => legalTextInput))
const unknownPage = { refused: 'There is no such page.' }

export const legalPagePage: PageBody = {
  async show(call) {
    const page = pageOf(call)
    if (page === undefined) return undefined
    const { database, legalTexts } = call.context
    const draft = await findDraft(database, page)
    const texts = await draftOrCurrent(call, page)
    const versions = await listVersions(database, page)
    return html`<p>
        <b>${page}</b>, version ${legalTexts.version(page)} holds.
        ${
          draft === undefined
            ? 'There is no draft.'
            : html`A draft of ${time(draft.saved_at)} by ${draft.saved_by} waits.
                <a href="/admin/legal/${page}/preview">Preview</a>`
        }
        <a href="/admin/legal">All pages</a>
      </p>
      ${form(
        call,
        'save',
        (fields) =>
          fields.inLanguages((language) =>
            fields.area({
              name: language,
              label: languageNames[language].name,
              value: texts[language],
              rows: 18,
              isRequired: true,
            }),
          ),
        { button: 'Save the draft' },
      )}
      ${draft !== undefined && draftForms(call, page)}
      <h2>Published versions</h2>
      ${table(
        ['Version', 'Published', 'By', 'Asked people again', 'Actions'],
        versions.map((version) => [
          version.version,
          time(version.published_at),
          version.saved_by,
          version.asks_again ? 'yes' : '',
          form(call, 'restore', (fields) => fields.hidden('version', version.version ?? ''), {
            button: 'Make it the draft',
            row: version.id,
          }),
        ]),
      )}`
  },
  forms: {
    save: defineForm({
      right,
      fields: draftFields,
      async submit(call, texts) {
        const page = pageOf(call)
        if (page === undefined) return unknownPage
        await saveDraft(call.context.database, { page, texts, ...editorOf(call) })
        return { done: 'The draft is saved. Nobody sees it until it is published.' }
      },
    }),
    publish: defineForm({
      right,
      fields: z.object({ asksAgain: z.literal('on').optional() }),
      async submit(call, { asksAgain }) {
        const page = pageOf(call)
        if (page === undefined) return unknownPage
        const publication = { page, asksAgain: asksAgain === 'on', ...editorOf(call) }
        const version = await publishDraft(call.context.database, publication)
        if (version === undefined) return { refused: 'There is no draft. Save one first.' }
        await call.context.legalTexts.refresh()
        return {
          done: `Version ${version} is published.`,
          log: { subject: page, after: { version, asksAgain: publication.asksAgain } },
        }
      },
    }),
    discard: defineForm({
      right,
      fields: z.object({}),
      async submit(call) {
        const page = pageOf(call)
        const isDone = page !== undefined && (await discardDraft(call.context.database, page))
        return isDone ? { done: 'The draft is gone.' } : { refused: 'There is no draft.' }
      },
    }),
    restore: defineForm({
      right,
      fields: z.object({ version: z.string().max(40) }),
      async submit(call, { version }) {
        const page = pageOf(call)
        if (page === undefined) return unknownPage
        const versions = await listVersions(call.context.database, page)
        const found = versions.find((one) => one.version === version)
        if (found === undefined) return { refused: 'There is no such version.' }
        await saveDraft(call.context.database, { page, texts: found.texts, ...editorOf(call) })
        return { done: `Version ${version} is the draft now. Publish it to let it hold again.` }
      },
    }),
  },
}

export const legalPreviewPage: PageBody = {
  async show(call) {
    const page = pageOf(call)
    if (page === undefined) return undefined
    const { context } = call
    const texts = await draftOrCurrent(call, page)
    const facts = {
      details: operatorDetails(context.site.values()),
      photoRecipients: photoRecipients(context.config.images, context.moderation),
    }
    return html`<p><a href="/admin/legal/${page}">Back to the draft</a></p>
      ${languages.map(
        (language) =>
          html`<section lang="${languageNames[language].tag}">
            <h2>${languageNames[language].name}</h2>
            ${writeBlocks(fillBlanks(parseMarkdown(texts[language]), language, facts))}
          </section>`,
      )}`
  },
}

function pageOf({ params }: OperatorCall): LegalPageName | undefined {
  return legalPages.find((name) => name === params['page'])
}

function editorOf({ context, operator }: OperatorCall) {
  return { operatorName: operator.name, now: context.clock() }
}

async function draftOrCurrent(
  { context }: OperatorCall,
  page: LegalPageName,
): Promise<Translated<string>> {
  const draft = await findDraft(context.database, page)
  return { ...context.legalTexts.markdown(page), ...draft?.texts }
}

function draftForms(call: OperatorCall, page: LegalPageName): Html {
  return html`<h2>Publish the draft</h2>
    ${form(
      call,
      'publish',
      (fields) =>
        page === 'terms'
          ? fields.checkbox({
              name: 'asksAgain',
              label: 'Ask everybody who agreed to an earlier version again',
            })
          : html``,
      { button: 'Publish' },
    )}
    ${form(call, 'discard', () => html``, { button: 'Discard the draft', warning: 'What is written in it is lost.' })}`
}
