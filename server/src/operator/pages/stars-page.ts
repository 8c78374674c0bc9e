import { languageNames, languages } from '@starside/contract/languages.ts'
import { uploadFormats, uploadBytesMax } from '@starside/contract/limits.ts'
import { presetCategories } from '@starside/contract/preset-categories.ts'
import { errorTable } from '@starside/contract/errors.ts'
import { PhotoError } from '@starside/engine/photo/photo-error.ts'
import { sql } from 'kysely'
import { z } from 'zod'
import { html } from '../../http/html.ts'
import type { Html } from '../../http/html.ts'
import { addStar } from '../../stars/add-star.ts'
import { placeStar } from '../../stars/edit-stars.ts'
import type { PlacedStar } from '../../stars/open-presets.ts'
import { starPositionMax, starRules } from '../../stars/star-rules.ts'
import { defineForm } from '../admin-page.ts'
import type { AdminCall, AdminPage, FormOutcome, SubmittedForm } from '../admin-page.ts'
import { foldedForm, form } from '../form-fields.ts'
import type { Fields } from '../form-fields.ts'
import { firstRow, pageLinks, table, time } from '../tables.ts'
import { starStates } from './star-page.ts'

const act = 'change stars'
const pageSize = 50

/** All stars with search, their places, and adding one. */
export const starsPage: AdminPage = {
  path: '/admin/presets',
  title: 'Stars',
  act: 'see stars',
  group: 'Shop',
  show: showStars,
  forms: {
    add: defineForm({ act, fields: starRules, fileBytesMax: uploadBytesMax, submit: submitStar }),
    place: defineForm({
      act,
      fields: z.object({
        id: z.string().max(40),
        position: z.coerce.number().int().min(0).max(starPositionMax),
        hidden: z.literal('on').optional(),
      }),
      async submit({ context }, { id, position, hidden }) {
        const before = context.presets.listPlaced().find((star) => star.id === id)
        if (before === undefined) return { refused: 'There is no such star.' }
        const after = { position, isHidden: hidden === 'on' }
        await placeStar(context.database, { id, ...after })
        await context.presets.refresh()
        return {
          done: `${before.name} is ${after.isHidden ? 'hidden' : 'shown'} at ${position}.`,
          log: {
            subject: id,
            before: { position: before.position, isHidden: before.isHidden },
            after,
          },
        }
      },
    }),
  },
}

async function submitStar(
  { context, operator }: AdminCall,
  rules: z.output<typeof starRules>,
  files: SubmittedForm['files'],
): Promise<FormOutcome> {
  const picture = files['picture']
  if (picture === undefined) {
    return { refused: 'Nothing was added.', problems: { picture: 'A picture is needed.' } }
  }
  try {
    const star = { ...rules, picture: picture.bytes, createdBy: operator.name }
    const id = await addStar(context, star)
    return {
      done: `${rules.name} is being cut out. Look at the pictures in some seconds, then publish.`,
      to: `/admin/presets/${id}`,
      log: { subject: id, after: rules },
    }
  } catch (error) {
    if (!(error instanceof PhotoError)) throw error
    const { sentence } = errorTable[error.code]
    return { refused: 'Nothing was added.', problems: { picture: sentence } }
  }
}

async function showStars(call: AdminCall): Promise<Html> {
  const { context, query } = call
  const search = (query['q'] ?? '').trim().slice(0, 100)
  const from = firstRow(call)
  const found = context.presets
    .listPlaced()
    .filter(({ name, id }) => `${name} ${id}`.toLowerCase().includes(search.toLowerCase()))
  const unpublished = await context.database
    .selectFrom('stars')
    .select(['id', 'name', 'state', 'created_at'])
    .where('state', 'in', ['cutting', 'failed', 'draft'])
    .$if(search !== '', (rows) =>
      rows.where(sql<boolean>`position(lower(${search}) in lower(name || ' ' || id)) > 0`),
    )
    .orderBy('created_at', 'desc')
    .limit(pageSize)
    .execute()
  return html`<form method="get">
      <label>Name or id <input name="q" value="${search}" maxlength="100" /></label>
      <button>Search</button>
    </form>
    ${
      unpublished.length > 0 &&
      html`<h2>Not published yet</h2>
        ${table(
          ['Name', 'State', 'Added'],
          unpublished.map(({ id, name, state, created_at }) => [
            html`<a href="/admin/presets/${id}">${name}</a>`,
            starStates[state],
            time(created_at),
          ]),
        )}`
    }
    <h2>${found.length} offered or hidden</h2>
    ${table(
      ['Picture', 'Name', 'Category', 'Licence', 'Place'],
      found.slice(from, from + pageSize).map((star) => starRow(call, star)),
    )}
    ${pageLinks(call, { rowsMax: pageSize, hasMore: from + pageSize < found.length })}
    ${call.may(act) && addForm(call)}`
}

function starRow(call: AdminCall, star: PlacedStar) {
  const { id, name, thumbnail, category, licence, position, isHidden, isOwn } = star
  return [
    html`<img src="${thumbnail.jpeg}" alt="" width="64" height="80" loading="lazy" />`,
    isOwn ? html`<a href="/admin/presets/${id}">${name}</a>` : name,
    category,
    licence,
    call.may(act)
      ? form(
          call,
          'place',
          (fields) =>
            html`${fields.hidden('id', id)}
            ${fields.text({ name: 'position', label: 'Position', value: position, inputMode: 'numeric' })}
            ${fields.checkbox({ name: 'hidden', label: 'Hidden', isTicked: isHidden })}`,
          { button: 'Move', row: id },
        )
      : `${position}${isHidden ? ', hidden' : ''}`,
  ]
}

function addForm(call: AdminCall): Html {
  return foldedForm(call, 'add', starFields, { button: 'Add a star', takesFiles: true })
}

function starFields(fields: Fields): Html {
  return html`${fields.file({
      name: 'picture',
      label: 'Picture',
      accept: 'image/jpeg,image/png,image/webp,image/avif',
      hint: `One person from the front, with the whole head and the shoulders. ${uploadFormats}.`,
      isRequired: true,
    })}
    ${fields.text({ name: 'name', label: 'Name', isRequired: true, lengthMax: 60 })}
    ${fields.select({
      name: 'category',
      label: 'Known for',
      options: presetCategories.map((category) => [category, category] as const),
    })}
    ${languages.map((language) =>
      fields.text({
        name: `line_${language}`,
        label: `Line, ${languageNames[language].name}`,
        lengthMax: 120,
        ...(language === 'en' ? { hint: 'Shown where a translation is missing.' } : {}),
      }),
    )}
    ${fields.text({ name: 'licence', label: 'Licence', isRequired: true, lengthMax: 100 })}
    ${fields.text({ name: 'attribution', label: 'Attribution', hint: 'Shown to people.', isRequired: true, lengthMax: 300 })}
    ${fields.text({ name: 'source', label: 'Source', hint: 'Where the picture comes from.', isRequired: true, lengthMax: 500 })}
    ${fields.area({
      name: 'consentNote',
      label: 'Consent',
      hint: 'Why this person’s picture may be used for selfies: who agreed, when, where that is written.',
      isRequired: true,
      lengthMax: 2000,
    })}
    ${fields.checkbox({ name: 'aiGenerated', label: 'Made by a model; the person does not exist' })}
    <p>
      The star is cut out in the background, with three samples to look at before you publish it.
    </p>`
}
