import { inEveryLanguage, languageNames, languages } from '@starside/contract/languages.ts'
import { legalPages } from '@starside/contract/legal-pages.ts'
import { pages } from '@starside/contract/pages.ts'
import type { LegalPageName } from '@starside/contract/legal-pages.ts'
import { z } from 'zod'
import { html } from '../../platform/http/html.ts'
import {
  discardDraft,
  findDraft,
  legalTextInput,
  listVersions,
  publishDraft,
  saveDraft,
} from '../../shop/legal/edit-legal-pages.ts'
import { fillBlanks, legalBlanks, operatorDetails } from '../../shop/legal/fill-blanks.ts'
import { parseMarkdown } from '../../shop/legal/parse-markdown.ts'
import { writeNodes } from '../../shop/legal/legal-html.ts'
import { photoRecipients } from '../../selfies/providers/image-models.ts'
import { findRows } from '../../platform/db/rows.ts'
import { changeSite } from '../../platform/site/change-site.ts'
import { siteSettings } from '../../platform/site/site-settings.ts'
import { defineForm } from '../operator-page.ts'
import type { FormOutcome, OperatorCall, PageBody } from '../operator-page.ts'
import { form, languageWord } from '../form-fields.ts'
import { listTable, time } from '../tables.ts'

const right = 'change pages'
const titles = { terms: 'Terms', privacy: 'Privacy', imprint: 'Legal notice' }

export const legalPagesPage: PageBody = {
  async show(call) {
    const { database, legalTexts, site } = call.context
    const values = site.values()
    const drafts = await findRows(database, 'legal_page_versions', { published_at: null })
    const draftOf = (page: LegalPageName) => drafts.find((draft) => draft.page === page)
    const missing = values['legal.operator'] === '' || values['legal.address'] === ''
    return html`${listTable(legalPages, '', {
        Page: (page) => html`<a href="/admin/legal/${page}">${titles[page]}</a>`,
        Version: (page) => legalTexts.version(page),
        Draft: (page) => {
          const draft = draftOf(page)
          return draft && html`<b>draft</b> of ${time(draft.saved_at)}`
        },
        Shown: (page) => html`<a href="${pages[page].path}">View</a>`,
      })}
      <h2>Who is responsible</h2>
      <p class="${missing ? 'bad' : ''}">
        ${
          missing
            ? 'Until you fill in both, the pages show placeholders.'
            : 'The pages show this in place of their placeholders.'
        }
        The contact address is part of <a href="/admin/brand">the brand</a>.
      </p>
      ${form(
        call,
        'details',
        (fields) =>
          html` ${fields.text({ name: 'operator', label: 'Name of the operator', value: values['legal.operator'], lengthMax: 120 })}
          ${fields.area({ name: 'address', label: 'Address of the operator', value: values['legal.address'], lengthMax: 400 })}`,
        { button: 'Save the details' },
      )}
      <h2>Writing</h2>
      <p>
        Texts are Markdown in ${languages.map(languageWord).join(', ')}: headings, lists, quotes,
        emphasis, links. HTML is shown as text. Placeholders:
        ${legalBlanks.map((blank) => html`<code>${`{{${blank}}}`}</code> `)}
      </p>`
  },
  forms: {
    details: defineForm({
      right,
      fields: z.object({
        operator: siteSettings['legal.operator'],
        address: siteSettings['legal.address'],
      }),
      async submit(call, input) {
        const values = { 'legal.operator': input.operator, 'legal.address': input.address }
        await changeSite(call.context.database, values, editorOf(call))
        return { done: 'The details are saved and shown in all texts.', log: { after: values } }
      },
    }),
  },
}

const savedTexts = z.object({ before: z.string(), ...inEveryLanguage(() => legalTextInput) })
const savedAt = (draft: { saved_at: Date } | undefined) => draft?.saved_at.toISOString() ?? ''

export const legalPagePage: PageBody = {
  async show(call) {
    const page = pageOf(call)
    if (page === undefined) return undefined
    const { database, legalTexts } = call.context
    const draft = await findDraft(database, page)
    const texts = { ...legalTexts.markdown(page), ...draft?.texts }
    const body = html`<p>
        Users read version ${legalTexts.version(page)}.
        ${
          draft === undefined
            ? 'Save a draft, even unchanged; then you can preview and publish it.'
            : html`A draft of ${time(draft.saved_at)} by ${draft.saved_by} waits.
                <a href="/admin/legal/${page}/preview">Preview</a>`
        }
        <a href="/admin/legal">All pages</a>
      </p>
      ${form(
        call,
        'save',
        (fields) =>
          html`${fields.hidden('before', savedAt(draft))}
          ${fields.inLanguages((language) =>
            fields.area({
              name: language,
              label: languageWord(language),
              value: texts[language],
              rows: 18,
              isRequired: true,
            }),
          )}`,
        { button: 'Save the draft' },
      )}
      ${draft !== undefined && draftForms(call, page)}
      <h2>Published versions</h2>
      ${listTable(await listVersions(database, page), 'Nothing was published yet.', {
        Version: ({ version }) => version,
        Published: ({ published_at }) => time(published_at),
        By: ({ saved_by }) => saved_by,
        'Asked people again': ({ asks_again }) => (asks_again ? 'yes' : ''),
        Actions: ({ id, version }) =>
          form(call, 'restore', (fields) => fields.hidden('version', version ?? ''), {
            button: 'Make it the draft',
            row: id,
            ...(draft && { warning: 'The draft that waits is lost.' }),
          }),
      })}`
    return { name: titles[page], body }
  },
  forms: {
    save: pageForm(savedTexts, async (call, page, { before, ...texts }) => {
      const draft = await findDraft(call.context.database, page)
      if (savedAt(draft) !== before) {
        return { refused: 'A colleague has changed the draft. Saving now takes its place.' }
      }
      await saveDraft(call.context.database, { page, texts, ...editorOf(call) })
      return { done: 'The draft is saved. Nobody sees it until it is published.' }
    }),
    publish: pageForm(
      z.object({ asksAgain: z.literal('on').optional() }),
      async (call, page, input) => {
        const asksAgain = input.asksAgain === 'on'
        const publication = { page, asksAgain, ...editorOf(call) }
        const version = await publishDraft(call.context.database, publication)
        if (version === undefined) return { refused: 'There is no draft. Save one first.' }
        return {
          done: `Version ${version} is published.`,
          log: { subject: page, after: { version, asksAgain } },
        }
      },
    ),
    discard: pageForm(z.object({}), async (call, page) => {
      const isDone = await discardDraft(call.context.database, page)
      return isDone ? { done: 'The draft is gone.' } : { refused: 'There is no draft.' }
    }),
    restore: pageForm(
      z.object({ version: z.string().max(40) }),
      async (call, page, { version }) => {
        const versions = await listVersions(call.context.database, page)
        const found = versions.find((one) => one.version === version)
        if (found === undefined) return { refused: 'There is no such version.' }
        await saveDraft(call.context.database, { page, texts: found.texts, ...editorOf(call) })
        return { done: `Version ${version} is the draft now. Publish it to show it again.` }
      },
    ),
  },
}

function pageForm<Fields extends z.ZodType>(
  fields: Fields,
  submit: (
    call: OperatorCall,
    page: LegalPageName,
    input: z.output<Fields>,
  ) => Promise<FormOutcome>,
) {
  return defineForm({
    right,
    fields,
    async submit(call, input) {
      const page = pageOf(call)
      return page === undefined ? { refused: 'There is no such page.' } : submit(call, page, input)
    },
  })
}

export const legalPreviewPage: PageBody = {
  async show(call) {
    const page = pageOf(call)
    if (page === undefined) return undefined
    const { context } = call
    const draft = await findDraft(context.database, page)
    const texts = { ...context.legalTexts.markdown(page), ...draft?.texts }
    const facts = {
      details: operatorDetails(context.site.values()),
      photoRecipients: photoRecipients(context.config.images, context.moderation),
    }
    const body = html`<p><a href="/admin/legal/${page}">Back to the draft</a></p>
      ${languages.map(
        (language) =>
          html`<section lang="${languageNames[language].tag}">
            <h2>${languageWord(language)}</h2>
            ${writeNodes(fillBlanks(parseMarkdown(texts[language]), language, facts))}
          </section>`,
      )}`
    return { name: `${titles[page]}, the draft`, body }
  },
}

function pageOf({ params }: OperatorCall): LegalPageName | undefined {
  return legalPages.find((name) => name === params['page'])
}

function editorOf({ context, operator }: OperatorCall) {
  return { operatorName: operator.name, now: context.clock() }
}

function draftForms(call: OperatorCall, page: LegalPageName) {
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
