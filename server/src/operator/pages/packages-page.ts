import { defaultLanguage } from '@starside/contract/languages.ts'
import { pricePerCreditText } from '@starside/contract/packages.ts'
import { z } from 'zod'
import { html } from '../../platform/http/html.ts'
import { packageSchema, packagesSchema, packagesMax } from '../../platform/site/package-settings.ts'
import type { SitePackage } from '../../platform/site/package-settings.ts'
import { readTranslated, translatedFields } from '../../platform/site/translated-fields.ts'
import { checkFields, wholeNumber } from '../check-fields.ts'
import { defineForm } from '../operator-page.ts'
import type { OperatorCall, PageBody } from '../operator-page.ts'
import { form, languageWord, placeMark } from '../form-fields.ts'
import type { FormOptions } from '../form-fields.ts'
import { saveSite } from '../save-site.ts'
import { dollars, listTable } from '../tables.ts'

const right = 'change packages'
const listPath = '/admin/packages'
/** The address of a package that isn't there yet. */
const newPackage = 'new'

const rowFields = z.object({ id: z.string().max(40), version: z.string().regex(/^\d{1,18}$/) })

export const packagesPage: PageBody = {
  show(call) {
    const { site } = call.context
    const { packages } = site.values()
    const send = (name: string, given: Record<string, string>, options: FormOptions) =>
      form(
        call,
        name,
        (fields) =>
          html`${Object.entries({ version: site.version(), ...given }).map(([field, value]) => fields.hidden(field, value))}
          ${name === 'move' && fields.text({ name: 'position', label: 'Place', inputMode: 'numeric', isRequired: true })}`,
        options,
      )
    return html`${listTable(
      packages.map((each, index) => ({ ...each, index })),
      'Nothing is on sale.',
      {
        Place: ({ id, index, title }) => {
          const summary = placeMark(title.en, index)
          return send('move', { id }, { button: 'Move', isFolded: true, row: id, summary })
        },
        Package: ({ id }) => html`<a href="${listPath}/${id}">${id}</a>`,
        Title: (one) => html`${one.title.en} ${one.isPopular && html`<mark>most popular</mark>`}`,
        Price: ({ priceCents }) => dollars(priceCents),
        Credits: ({ credits }) => credits,
        'A credit': (each) => `$${pricePerCreditText(each)}`,
        'On sale': ({ isOnSale }) => (isOnSale ? 'yes' : html`<span class="warn">no</span>`),
        Actions: ({ id }) =>
          send(
            'remove',
            { id },
            {
              button: 'Remove',
              warning: 'Its texts are lost. Orders keep what they were made for.',
              row: id,
            },
          ),
      },
    )}
    ${
      packages.length < packagesMax &&
      html`<p><a class="button" href="${listPath}/${newPackage}">Add a package</a></p>`
    }`
  },
  forms: {
    move: defineForm({
      right,
      fields: rowFields.extend({ position: z.coerce.number().int().min(1).max(packagesMax) }),
      submit(call, { id, position, version: seenVersion }) {
        const { packages } = call.context.site.values()
        const moved = packages.filter((each) => each.id === id)
        const list = packages.filter((each) => each.id !== id).toSpliced(position - 1, 0, ...moved)
        const done = `${id} is number ${position} of ${list.length}.`
        return savePackages(call, list, { seenVersion, done })
      },
    }),
    remove: defineForm({
      right,
      fields: rowFields,
      submit: (call, { id, version: seenVersion }) => {
        const rest = call.context.site.values().packages.filter((each) => each.id !== id)
        return savePackages(call, rest, { seenVersion, done: `${id} is removed.` })
      },
    }),
  },
}

type Saving = Parameters<typeof saveSite>[2]

async function savePackages(call: OperatorCall, packages: SitePackage[], saving: Saving) {
  const checked = checkFields(packagesSchema, packages)
  if ('refused' in checked) return { refused: Object.values(checked.problems).join(' ') }
  return saveSite(call, { packages: checked.input }, { ...saving, to: listPath })
}

const lines = z
  .string()
  .max(2_000)
  .transform((text) => text.split('\n').flatMap((line) => line.trim() || []))
/** Dollars with at most two decimals, as people type a price. */
const price = z
  .string()
  .trim()
  .regex(/^\d{1,6}(?:[.,]\d{1,2})?$/, 'A price such as 19.90.')
  .transform((text) => Math.round(Number(text.replace(',', '.')) * 100))
  .pipe(packageSchema.shape.priceCents)
const ticked = z
  .literal('on')
  .optional()
  .transform((value) => value === 'on')
const { title, description, features } = packageSchema.shape

const packageFields = z.object({
  version: z.string().regex(/^\d{1,18}$/),
  id: packageSchema.shape.id.refine((id) => id !== newPackage, 'Another id.'),
  price,
  credits: wholeNumber.pipe(packageSchema.shape.credits),
  popular: ticked,
  onSale: ticked,
  ...translatedFields('title', (language) => title.shape[language]),
  ...translatedFields('description', (language) => description.shape[language]),
  ...translatedFields('features', (language) => lines.pipe(features.shape[language])),
})

export const packagePage: PageBody = {
  show(call) {
    const { site } = call.context
    const known = site.values().packages.find(({ id }) => id === call.params['id'])
    if (known === undefined && call.params['id'] !== newPackage) return undefined
    const body = html`<p><a href="${listPath}">All packages</a></p>
      ${form(
        call,
        'save',
        (field) =>
          html`${field.hidden('version', site.version())}
            <div class="grid">
              ${field.text({ name: 'id', label: 'Id', value: known?.id ?? '', isRequired: true, lengthMax: 30, hint: 'Short name for orders, such as basic.' })}
              ${field.text({ name: 'price', label: 'Price in US dollars', inputMode: 'decimal', value: known === undefined ? '' : (known.priceCents / 100).toFixed(2), isRequired: true })}
              ${field.text({ name: 'credits', label: 'Credits', inputMode: 'numeric', value: known?.credits ?? '', isRequired: true })}
            </div>
            ${field.checkbox({ name: 'onSale', label: 'On sale', isTicked: known?.isOnSale ?? true })}
            ${field.checkbox({ name: 'popular', label: 'Tagged as most popular', isTicked: known?.isPopular ?? false })}
            ${field.inLanguages(
              (language) =>
                html`<fieldset>
                  <legend>${languageWord(language)}</legend>
                  ${field.text({ name: `title_${language}`, label: 'Title', value: known?.title[language] ?? '', isRequired: language === defaultLanguage, lengthMax: 30 })}
                  ${field.text({ name: `description_${language}`, label: 'Description', value: known?.description[language] ?? '', lengthMax: 80 })}
                  ${field.area({ name: `features_${language}`, label: 'Features', rows: 6, value: known?.features[language].join('\n') ?? '', hint: `One a line. Begin one with * to show it in bold. {credits} is the number of credits.${language === defaultLanguage ? '' : ' Empty: the English ones.'}` })}
                </fieldset>`,
            )}`,
        { button: 'Save' },
      )}`
    return { name: known?.title.en ?? 'New package', body }
  },
  forms: { save: defineForm({ right, fields: packageFields, submit: savePackage }) },
}

async function savePackage(call: OperatorCall, input: z.output<typeof packageFields>) {
  const { packages } = call.context.site.values()
  const { id: path } = call.params
  const isKnown = packages.some(({ id }) => id === path)
  if (!isKnown && path !== newPackage) return { refused: 'This package was removed meanwhile.' }
  if (input.id !== path && packages.some(({ id }) => id === input.id)) {
    return { refused: 'Nothing was saved.', problems: { id: 'There is a package of this id.' } }
  }
  const saved: SitePackage = {
    id: input.id,
    title: readTranslated('title', input),
    description: readTranslated('description', input),
    features: readTranslated('features', input),
    priceCents: input.price,
    credits: input.credits,
    isPopular: input.popular,
    isOnSale: input.onSale,
  }
  // Only one is the most popular: the one that was ticked last.
  const others = packages.map((each) => (saved.isPopular ? { ...each, isPopular: false } : each))
  const list = isKnown
    ? others.map((each) => (each.id === path ? saved : each))
    : [...others, saved]
  return savePackages(call, list, { seenVersion: input.version, done: `${input.id} is saved.` })
}
