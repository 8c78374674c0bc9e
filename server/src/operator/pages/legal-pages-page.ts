import { languageNames, languages } from '@starside/contract/languages.ts'
import { legalPages } from '@starside/contract/legal-pages.ts'
import { pages } from '@starside/contract/pages.ts'
import { z } from 'zod'
import { html } from '../../platform/http/html.ts'
import { legalBlanks } from '../../shop/legal/fill-blanks.ts'
import { findDraft } from '../../shop/legal/edit-legal-pages.ts'
import { changeSite } from '../../platform/site/change-site.ts'
import { siteSettings } from '../../platform/site/site-settings.ts'
import { defineForm } from '../operator-page.ts'
import type { PageBody } from '../operator-page.ts'
import { form } from '../form-fields.ts'
import { table, time } from '../tables.ts'

const right = 'change pages'

export const legalPagesPage: PageBody = {
  async show(call) {
    const { database, legalTexts, site } = call.context
    const values = site.values()
    const rows = await Promise.all(
      legalPages.map(async (page) => {
        const draft = await findDraft(database, page)
        return [
          html`<a href="/admin/legal/${page}">${page}</a>`,
          legalTexts.version(page),
          draft === undefined ? '' : html`<b>draft</b> of ${time(draft.saved_at)}`,
          html`<a href="${pages[page].path}">View</a>`,
        ]
      }),
    )
    const missing = values['legal.operator'] === '' || values['legal.address'] === ''
    return html`${table(['Page', 'Version', 'Draft', 'Shown'], rows)}
      <h2>Who is responsible</h2>
      <p class="${missing ? 'bad' : ''}">
        ${
          missing
            ? 'Until you fill in both, the pages show placeholders.'
            : 'The pages show this in place of their placeholders.'
        }
        The contact address is part of the brand.
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
        Texts are Markdown in
        ${languages.map((language) => languageNames[language].name).join(', ')}: headings, lists,
        quotes, emphasis, links. HTML is shown as text. Placeholders:
        ${legalBlanks.map((blank) => html`<code>${`{{${blank}}}`}</code> `)}
      </p>`
  },
  forms: {
    details: defineForm({
      right,
      fields: z.object({
        operator: siteSettings['legal.operator'].schema,
        address: siteSettings['legal.address'].schema,
      }),
      async submit({ context, operator }, input) {
        const values = { 'legal.operator': input.operator, 'legal.address': input.address }
        await changeSite(context.database, values, {
          operatorName: operator.name,
          now: context.clock(),
        })
        await context.site.refresh()
        return {
          done: 'The details are saved; they stand in all texts now.',
          log: { after: values },
        }
      },
    }),
  },
}
