import { keysOf } from '@starside/contract/keys-of.ts'
import { createHash } from 'node:crypto'
import { defaultLanguage, languageNames } from '@starside/contract/languages.ts'
import { PhotoError } from '@starside/engine/photo/photo-error.ts'
import { z } from 'zod'
import type { OperatorParts } from '../parts.ts'
import { html } from '../../platform/http/html.ts'
import type { Html } from '../../platform/http/html.ts'
import { brandObjectKey } from '../../platform/site/brand-routes.ts'
import { brandSettings, iconKinds } from '../../platform/site/brand-settings.ts'
import { mailSender } from '../../platform/site/mail-sender.ts'
import { pictureUrl } from '../../platform/site/present-brand.ts'
import type { SiteValues } from '../../platform/site/site-settings.ts'
import { readTranslated, translatedFields } from '../../platform/site/translated-fields.ts'
import { defineForm } from '../operator-page.ts'
import type { OperatorCall, PageBody, FormOutcome, SubmittedFile } from '../operator-page.ts'
import { form } from '../form-fields.ts'
import type { Fields } from '../form-fields.ts'
import { saveSite } from '../save-site.ts'

/** A logo is shown some 32 pixels high, an icon up to 512. */
const pictures = {
  logo: { key: 'brand.logo', label: 'Logo', widthPxMax: 600, heightPxMax: 128 },
  icon: { key: 'brand.icon', label: 'Icon', widthPxMax: 512, heightPxMax: 512 },
} as const
type PictureName = keyof typeof pictures

const fileBytesMax = 5 * 1024 * 1024
const right = 'change brand'

/** The fields of the form that are one setting each. */
const plainFields = z.object({
  name: brandSettings['brand.name'].schema,
  accentLight: brandSettings['brand.accentLight'].schema,
  accentDark: brandSettings['brand.accentDark'].schema,
  contactEmail: brandSettings['brand.contactEmail'].schema,
  socialUrl: brandSettings['brand.socialUrl'].schema,
  communityUrl: brandSettings['brand.communityUrl'].schema,
  markText: brandSettings['brand.markText'].schema,
  mailFrom: brandSettings['brand.mailFrom'].schema,
  shareTags: z
    .string()
    .transform((text) => text.split(/[\s,#]+/).filter((tag) => tag !== ''))
    .pipe(brandSettings['brand.shareTags'].schema),
})
const { line, shareText } = {
  line: brandSettings['brand.line'].schema.shape,
  shareText: brandSettings['brand.shareText'].schema.shape,
}
const fields = plainFields.extend({
  version: z.string().regex(/^\d{1,18}$/),
  ...translatedFields('line', (language) => line[language]),
  ...translatedFields('shareText', (language) => shareText[language]),
  removeLogo: z.literal('on').optional(),
  removeIcon: z.literal('on').optional(),
})

export const brandPage: PageBody = {
  show: (call) => html`<div class="beside">${showBrand(call)} ${preview(call)}</div>`,
  forms: {
    save: defineForm({ right, fields, fileBytesMax, submit: saveBrand }),
  },
}

async function saveBrand(
  call: OperatorCall,
  input: z.output<typeof fields>,
  files: Record<string, SubmittedFile>,
): Promise<FormOutcome> {
  const made = await makePictures(call.context, files, {
    logo: input.removeLogo === 'on',
    icon: input.removeIcon === 'on',
  })
  if ('problems' in made) return { refused: 'Nothing was changed.', problems: made.problems }
  const wanted: Partial<SiteValues> = {
    ...Object.fromEntries(keysOf(plainFields.shape).map((name) => [`brand.${name}`, input[name]])),
    'brand.line': readTranslated('line', input),
    'brand.shareText': readTranslated('shareText', input),
    ...made.values,
  }
  return saveSite(call, wanted, { seenVersion: input.version })
}

/** Makes and stores the pictures that were sent; what is wrong with them by field. */
async function makePictures(
  { engine, store }: Pick<OperatorParts, 'engine' | 'store'>,
  files: Record<string, SubmittedFile>,
  isRemoved: Record<PictureName, boolean>,
): Promise<{ values: Partial<SiteValues> } | { problems: Record<string, string> }> {
  const values: Record<string, unknown> = {}
  const problems: Record<string, string> = {}
  for (const name of keysOf(pictures)) {
    const { key, widthPxMax, heightPxMax } = pictures[name]
    const file = files[name]
    if (file === undefined) {
      if (isRemoved[name]) values[key] = ''
      continue
    }
    try {
      const { png, ...size } = await engine.makeLogo({
        bytes: file.bytes,
        widthPxMax,
        heightPxMax,
      })
      const stored = { file: await storePicture(store, png), ...size }
      values[key] =
        name === 'icon'
          ? { ...stored, sizes: await makeIcons({ engine, store }, file.bytes) }
          : stored
    } catch (error) {
      if (!(error instanceof PhotoError)) throw error
      problems[name] = 'This is no PNG, WebP, JPEG, AVIF or GIF of a usable size.'
    }
  }
  return Object.keys(problems).length > 0 ? { problems } : { values }
}

async function makeIcons(
  { engine, store }: Pick<OperatorParts, 'engine' | 'store'>,
  bytes: Uint8Array,
): Promise<Record<string, string>> {
  const files: Record<string, string> = {}
  for (const [kind, { sidePx, share, isOpaque }] of Object.entries(iconKinds)) {
    const side = Math.round(sidePx * share)
    const square = { sidePx, isOpaque }
    const box = { widthPxMax: side, heightPxMax: side }
    files[kind] = await storePicture(store, (await engine.makeLogo({ bytes, ...box, square })).png)
  }
  return files
}

/** Keeps a picture by its content; answers the name of its file. */
async function storePicture(store: OperatorParts['store'], png: Uint8Array): Promise<string> {
  const file = `${createHash('sha256').update(png).digest('hex').slice(0, 32)}.png`
  await store.put(brandObjectKey(file), png, 'image/png')
  return file
}

function showBrand(call: OperatorCall): Html {
  const { site, config } = call.context
  const values = site.values()
  const sender = mailSender(values, config.siteFallbacks)
  const senderText = typeof sender === 'string' ? sender : `${sender.name} <${sender.address}>`
  return form(
    call,
    'save',
    (field) =>
      html`${field.hidden('version', site.version())}
        <fieldset>
          <legend>Name</legend>
          ${field.text({ name: 'name', label: 'Name', value: values['brand.name'], isRequired: true, lengthMax: 40 })}
          ${translated(field, { name: 'line', label: 'One line about it', values: values['brand.line'], hint: 'In the tab, on search pages and in the manifest; empty: our own.' })}
        </fieldset>
        <fieldset>
          <legend>Appearance</legend>
          ${pictureField(field, 'logo', values['brand.logo'])}
          ${pictureField(field, 'icon', values['brand.icon'])}
          <div class="grid">
            ${field.text({ name: 'accentLight', label: 'Accent colour, light theme', type: 'color', value: values['brand.accentLight'] })}
            ${field.text({ name: 'accentDark', label: 'Accent colour, dark theme', type: 'color', value: values['brand.accentDark'] })}
          </div>
          ${field.text({ name: 'markText', label: 'Text of the brand mark', value: values['brand.markText'], lengthMax: 60, hint: `In the corner of free pictures; empty: ${config.publicHost}` })}
        </fieldset>
        <fieldset>
          <legend>Contact</legend>
          ${field.text({ name: 'contactEmail', label: 'Contact address', type: 'email', value: values['brand.contactEmail'], isRequired: true })}
          ${field.text({ name: 'socialUrl', label: 'Social page', type: 'url', value: values['brand.socialUrl'], isRequired: true })}
          ${field.text({ name: 'communityUrl', label: 'Community chat', type: 'url', value: values['brand.communityUrl'], isRequired: true })}
          ${field.text({ name: 'mailFrom', label: 'Sender of mails', type: 'email', value: values['brand.mailFrom'], hint: `Now: ${senderText}` })}
        </fieldset>
        <fieldset>
          <legend>Sharing</legend>
          ${translated(field, { name: 'shareText', label: 'Text', values: values['brand.shareText'], hint: '{celebrity} stands for the star; empty: our own words.' })}
          ${field.text({ name: 'shareTags', label: 'Hashtags', value: values['brand.shareTags'].join(' '), hint: '{brand} stands for the name.' })}
        </fieldset>`,
    { button: 'Save', takesFiles: true },
  )
}

/** What users see of it, in both themes; with the script while it is typed. */
function preview({ context }: OperatorCall): Html {
  const values = context.site.values()
  const logo = values['brand.logo']
  const mark = values['brand.markText'] || context.config.publicHost
  return html`<section class="preview" aria-label="Preview">
    ${(['light', 'dark'] as const).map(
      (theme) =>
        html`<div data-theme="${theme}">
          <header>
            <img
              data-shows="logo"
              alt=""
              ${logo === '' ? html`hidden` : html`src="${pictureUrl(logo.file)}"`}
            />
            <b data-shows="name" ${logo !== '' && html`hidden`}>${values['brand.name']}</b>
          </header>
          <p data-shows="line_${defaultLanguage}" data-fallback="${ownLine}">
            ${values['brand.line'][defaultLanguage] || ownLine}
          </p>
          <span class="main">Try Now - It's Free!</span>
          <figure>
            <img
              src="/examples/face-1/rafael-montoriva/first-480.jpg"
              alt="A selfie with the brand mark"
            />
            <figcaption data-shows="markText" data-fallback="${context.config.publicHost}">
              ${mark}
            </figcaption>
          </figure>
        </div>`,
    )}
  </section>`
}

const ownLine = 'Take a selfie with a star'

function translated(
  field: Fields,
  options: { name: string; label: string; values: Record<string, string>; hint: string },
): Html {
  const { name, label, values, hint } = options
  return field.inLanguages((language) =>
    field.text({
      name: `${name}_${language}`,
      label: `${label}, ${languageNames[language].name}`,
      value: values[language] ?? '',
      lengthMax: 200,
      ...(language === defaultLanguage ? { hint } : {}),
    }),
  )
}

function pictureField(
  field: Fields,
  name: PictureName,
  stored: SiteValues['brand.logo' | 'brand.icon'],
): Html {
  const { label } = pictures[name]
  return html`${field.file({ name, label, accept: 'image/png,image/webp,image/jpeg', hint: 'PNG, WebP or JPEG; no SVG.' })}
  ${
    stored !== '' &&
    html`<p>
        <img
          src="${pictureUrl(stored.file)}"
          alt="${label} now"
          width="${stored.widthPx}"
          height="${stored.heightPx}"
          class="brand"
        />
      </p>
      ${field.checkbox({ name: name === 'logo' ? 'removeLogo' : 'removeIcon', label: `Remove the ${name}` })}`
  }`
}
