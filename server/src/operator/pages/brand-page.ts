import { contrastMin } from '@starside/contract/contrast.ts'
import { keysOf } from '@starside/contract/keys-of.ts'
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { defaultLanguage } from '@starside/contract/languages.ts'
import { brandNameShortMax } from '@starside/contract/brand-name.ts'
import { PhotoError } from '@starside/engine/photo/photo-error.ts'
import { z } from 'zod'
import type { OperatorParts } from '../parts.ts'
import { fillHtml, html } from '../../platform/http/html.ts'
import { brandObjectKey } from '../../platform/site/brand-page.ts'
import { brandSettings, iconKinds, themes } from '../../platform/site/brand-settings.ts'
import { mailSender, pictureUrl, usualMarkText } from '../../platform/site/present-brand.ts'
import type { SiteValues } from '../../platform/site/site-settings.ts'
import { readTranslated, translatedFields } from '../../platform/site/translated-fields.ts'
import { defineForm } from '../operator-page.ts'
import type { OperatorCall, PageBody, FormOutcome, SubmittedForm } from '../operator-page.ts'
import { form, languageWord } from '../form-fields.ts'
import type { Fields } from '../form-fields.ts'
import { saveSite } from '../save-site.ts'

/** A logo is shown some 32 pixels high, an icon up to 512. */
const pictures = {
  logo: { label: 'Logo', remove: 'removeLogo', box: { widthPxMax: 600, heightPxMax: 128 } },
  icon: { label: 'Icon', remove: 'removeIcon', box: { widthPxMax: 512, heightPxMax: 512 } },
} as const
type PictureName = keyof typeof pictures

const fileBytesMax = 5 * 1024 * 1024

/** The fields of the form that are one setting each. */
const plainFields = z.object({
  name: brandSettings['brand.name'],
  accentLight: brandSettings['brand.accentLight'],
  accentDark: brandSettings['brand.accentDark'],
  contactEmail: brandSettings['brand.contactEmail'],
  socialUrl: brandSettings['brand.socialUrl'],
  communityUrl: brandSettings['brand.communityUrl'],
  markText: brandSettings['brand.markText'],
  mailFrom: brandSettings['brand.mailFrom'],
  shareTags: z
    .string()
    .transform((text) => text.split(/[\s,#]+/).filter((tag) => tag !== ''))
    .pipe(brandSettings['brand.shareTags']),
})
const fields = plainFields.extend({
  version: z.string().regex(/^\d{1,18}$/),
  ...translatedFields('line', (language) => brandSettings['brand.line'].shape[language]),
  ...translatedFields('shareText', (language) => brandSettings['brand.shareText'].shape[language]),
  removeLogo: z.literal('on').optional(),
  removeIcon: z.literal('on').optional(),
})

export const brandPage: PageBody = {
  show: (call) => html`<div class="beside">${showBrand(call)} ${preview(call)}</div>`,
  forms: { save: defineForm({ right: 'change brand', fields, fileBytesMax, submit: saveBrand }) },
}

async function saveBrand(
  call: OperatorCall,
  input: z.output<typeof fields>,
  files: SubmittedForm['files'],
): Promise<FormOutcome> {
  const made = await makePictures(call.context, input, files)
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
  input: z.output<typeof fields>,
  files: SubmittedForm['files'],
): Promise<{ values: Partial<SiteValues> } | { problems: Record<string, string> }> {
  const values: Record<string, unknown> = {}
  const problems: Record<string, string> = {}
  const make = async (options: Parameters<OperatorParts['engine']['makeLogo']>[0]) => {
    const { png, ...size } = await engine.makeLogo(options)
    // By its content, so that a picture has one file.
    const file = `${createHash('sha256').update(png).digest('hex').slice(0, 32)}.png`
    await store.put(brandObjectKey(file), png, 'image/png')
    return { file, ...size }
  }
  for (const name of keysOf(pictures)) {
    const { remove, box } = pictures[name]
    const bytes = files[name]
    if (bytes === undefined) {
      if (input[remove] === 'on') values[`brand.${name}`] = ''
      continue
    }
    try {
      const stored = await make({ bytes, ...box })
      const sizes: Record<string, string> = {}
      for (const [kind, { sidePx, share, isOpaque }] of Object.entries(iconKinds)) {
        if (name !== 'icon') continue
        const sideMax = Math.round(sidePx * share)
        const side = { widthPxMax: sideMax, heightPxMax: sideMax }
        sizes[kind] = (await make({ bytes, ...side, square: { sidePx, isOpaque } })).file
      }
      values[`brand.${name}`] = name === 'icon' ? { ...stored, sizes } : stored
    } catch (error) {
      if (!(error instanceof PhotoError)) throw error
      problems[name] = 'This is no PNG, WebP, JPEG, AVIF or GIF of a usable size.'
    }
  }
  return Object.keys(problems).length > 0 ? { problems } : { values }
}

function showBrand(call: OperatorCall) {
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
          ${field.text({ name: 'name', label: 'Name', value: values['brand.name'], isRequired: true, lengthMax: 40, hint: `Over ${brandNameShortMax} characters it is set smaller.` })}
          ${translated(field, { name: 'line', label: 'Short description', values: values['brand.line'], hint: 'In the tab, on search pages and in the manifest; empty: our own.' })}
        </fieldset>
        <fieldset>
          <legend>Appearance</legend>
          ${pictureField(field, 'logo', values['brand.logo'])}
          ${pictureField(field, 'icon', values['brand.icon'])}
          <div class="grid">
            ${field.text({ name: 'accentLight', label: 'Accent colour, light theme', type: 'color', value: values['brand.accentLight'] })}
            ${field.text({ name: 'accentDark', label: 'Accent colour, dark theme', type: 'color', value: values['brand.accentDark'] })}
          </div>
          ${field.text({ name: 'markText', label: 'Watermark text', value: values['brand.markText'], lengthMax: 60, hint: `In the corner of free pictures; empty: ${usualMarkText(values, config.publicHost)}` })}
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

const previewMarkup = readFileSync(new URL('brand-preview.html', import.meta.url), 'utf8')

/** What users see of it, in both themes; with the script while it is typed. */
function preview({ context }: OperatorCall) {
  const values = context.site.values()
  const { 'brand.logo': logo, 'brand.name': name } = values
  const ownMark = usualMarkText(values, context.config.publicHost)
  const shown = {
    name,
    logo: logo === '' ? html`hidden` : html`src="${pictureUrl(logo.file)}"`,
    nameHidden: logo === '' ? '' : html`hidden`,
    lineField: `line_${defaultLanguage}`,
    ownLine,
    line: values['brand.line'][defaultLanguage] || ownLine,
    ownMark,
    markFallback: ownMark === name ? html`data-falls-back-to="name"` : '',
    mark: values['brand.markText'] || ownMark,
    contrast: String(contrastMin),
  }
  return html`<section class="preview" aria-label="Preview">
    ${keysOf(themes).map((theme) => {
      const accent = theme === 'light' ? 'accentLight' : 'accentDark'
      const beside = `${themes[theme].background} ${themes[theme].onAccent}`
      return fillHtml(previewMarkup, { ...shown, theme, accent, beside })
    })}
  </section>`
}

const ownLine = 'Take a selfie with a star'

function translated(
  field: Fields,
  options: { name: string; label: string; values: Record<string, string>; hint: string },
) {
  const { name, label, values, hint } = options
  return field.inLanguages((language) =>
    field.text({
      name: `${name}_${language}`,
      label: `${label}, ${languageWord(language)}`,
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
) {
  const { label, remove } = pictures[name]
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
      ${field.checkbox({ name: remove, label: `Remove the ${name}` })}`
  }`
}
