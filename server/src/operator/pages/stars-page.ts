import { sql } from 'kysely'
import { findRows } from '../../platform/db/rows.ts'
import { html } from '../../platform/http/html.ts'
import type { PlacedStar } from '../../stars/open-presets.ts'
import { actForms } from '../act.ts'
import { actForm } from '../act-form.ts'
import {
  addStarAct,
  placeStarAct,
  editStarAct,
  publishStarAct,
  retireStarAct,
  retryStarAct,
} from '../acts/star-acts.ts'
import type { OperatorCall, PageBody, OperatorDownload } from '../operator-page.ts'
import { placeMark } from '../form-fields.ts'
import { counted, listPage, listTable, searchOf, time, facts } from '../tables.ts'
import { errorTable, isErrorCode } from '@starside/contract/errors.ts'
import texts from '@starside/contract/texts/en/dashboard.json' with { type: 'json' }
import { findStar } from '../../stars/edit-stars.ts'
import {
  samplesMax,
  starObjectKey,
  starObjects,
  starSampleKey,
  starUploadKey,
} from '../../stars/star-objects.ts'
import type { StarObject } from '../../stars/star-objects.ts'
import { aboutStar } from '../../stars/star-rules.ts'
import type { StarState } from '../../stars/edit-stars.ts'

const pageSize = 50

export const starsPage: PageBody = {
  async show(call) {
    const { search, searchForm } = searchOf(call, 'Name or id')
    const stars = call.context.presets.listPlaced().map((star, index) => ({ ...star, index }))
    const found = stars.filter(({ name, id }) =>
      `${name} ${id}`.toLowerCase().includes(search.toLowerCase()),
    )
    const unpublished = await findRows(
      call.context.database,
      'stars',
      sql`state in ('cutting', 'failed', 'draft')
        and position(lower(${search}) in lower(name || ' ' || id)) > 0
        order by created_at desc limit ${pageSize}`,
    )
    return html`${searchForm} ${actForm(call, addStarAct)}
      ${
        unpublished.length > 0 &&
        html`<h2>Not published yet</h2>
          ${listTable(unpublished, '', {
            Name: ({ id, name }) => html`<a href="/admin/presets/${id}">${name}</a>`,
            State: ({ state }) => starStates[state],
            Added: ({ created_at }) => time(created_at),
          })}`
      }
      <h2>
        ${search === '' ? counted('{count, plural, one {# star} other {# stars}}, in the order users see', found.length) : `${found.length} found`}
      </h2>
      <p>
        You can edit the stars you added. The others come with the program. Drag a place, press ↑ or
        ↓ on it, or open it.
      </p>
      ${await listPage(
        call,
        ({ offset, limit }) => found.slice(offset, offset + limit),
        'No star yet: add the first above.',
        {
          Picture: ({ thumbnail }) =>
            html`<img src="${thumbnail.jpeg}" alt="" width="64" height="80" loading="lazy" />`,
          Name: ({ id, name, isOwn }) =>
            isOwn ? html`<a href="/admin/presets/${id}">${name}</a>` : name,
          Category: ({ category }) => texts.starCategories[category],
          Licence: ({ licence }) => licence,
          Shown: (star) => html`${star.isHidden ? 'no' : 'yes'}&ensp;${hideForm(call, star)}`,
          Place: (star) => moveForm(call, star),
        },
        pageSize,
      )}`
  },
  forms: actForms(addStarAct, placeStarAct),
}

type StarRow = PlacedStar & { index: number }

function hideForm(call: OperatorCall, { id, index, isHidden }: StarRow) {
  const given = { id, position: String(index + 1), ...(isHidden ? {} : { hidden: 'on' }) }
  const options = { button: isHidden ? 'Show' : 'Hide', row: `${id} hide`, without: ['hidden'] }
  return actForm(call, placeStarAct, given, options)
}

function moveForm(call: OperatorCall, { id, name, index, isHidden }: StarRow) {
  const given = { id, ...(isHidden ? { hidden: 'on' } : {}) }
  const shown = { row: id, without: ['hidden'], button: 'Move', summary: placeMark(name, index) }
  return actForm(call, placeStarAct, given, shown) || index + 1
}

const starStates = {
  cutting: html`<span class="warn">being cut out…</span>`,
  failed: html`<span class="bad">failed</span>`,
  draft: html`draft`,
  published: html`<span class="good">published</span>`,
  retired: html`retired`,
} satisfies Record<StarState, unknown>

type StarPicture = { text: string; mediaType: string; keyOf(folder: string): string }

/** Pictures of a star from the store, for the page alone. */
const starPictures: Record<string, StarPicture> = {
  upload: { text: 'Original', mediaType: 'image/jpeg', keyOf: starUploadKey },
  original: pictureOf('Original', 'picture'),
  cutout: pictureOf('Cut-out', 'preview'),
}
for (let index = 0; index < samplesMax; index += 1) {
  const keyOf = (folder: string) => starSampleKey(folder, index)
  const text = `Sample ${index + 1}`
  starPictures[`sample-${index + 1}`] = { text, mediaType: 'image/jpeg', keyOf }
}

function pictureOf(text: string, object: StarObject): StarPicture {
  const { mediaType } = starObjects[object]
  return { text, mediaType, keyOf: (folder) => starObjectKey(folder, object) }
}

export const starPage: PageBody = {
  async show(call) {
    const { context, params } = call
    const star = await findStar(context.database, params['id'] ?? '')
    if (star === undefined) return undefined
    const body = html`<p><a href="/admin/presets">All stars</a></p>
      <div
        id="star"
        data-state="${star.state}"
        ${star.state === 'cutting' && html`data-renews="2000"`}
      >
        ${showState(call, star)} ${showPictures(call, star)}
        ${facts([
          ['State', starStates[star.state]],
          ['Id', html`<code>${star.id}</code>`],
          ['AI-generated', star.ai_generated ? 'yes' : 'no'],
          ['Added', html`${time(star.created_at)} by ${star.created_by}`],
        ])}
      </div>
      ${star.state === 'retired' ? showAbout(star) : change(call, star)}`
    return { name: star.name, body }
  },
  forms: actForms(editStarAct, publishStarAct, retryStarAct, retireStarAct),
  downloads: Object.fromEntries(
    Object.entries(starPictures).map(([name, { keyOf, mediaType }]): [string, OperatorDownload] => [
      name,
      {
        right: 'see stars',
        async send({ context, params: { id = '' } }, reply) {
          const star = await findStar(context.database, id)
          const bytes = star && (await context.store.get(keyOf(star.object_folder)))
          if (bytes === undefined) return reply.status(404).send()
          return reply.type(mediaType).send(Buffer.from(bytes))
        },
      },
    ]),
  ),
}

/** What is told of the star, for those who may change it as a form. */
function change(call: OperatorCall, star: Star) {
  const begins = aboutStar(star)
  return html`${actForm(call, editStarAct, {}, { begins, isFolded: false }) || showAbout(star)}
  ${actForm(call, retireStarAct)}`
}

function showAbout(star: Star) {
  const values: Record<string, string> = aboutStar(star)
  values['category'] = texts.starCategories[star.category]
  return facts(
    Object.entries(editStarAct.fields).map(([name, { label }]) => [label, values[name] || false]),
  )
}

type Star = NonNullable<Awaited<ReturnType<typeof findStar>>>

function showState(call: OperatorCall, { state, failure }: Star) {
  if (state === 'cutting') {
    return html`<p class="warn">
      The star is being cut out, and three samples are made. They appear here by themselves.
      <noscript><meta http-equiv="refresh" content="2" /></noscript>
    </p>`
  }
  if (state !== 'failed') return state === 'draft' && actForm(call, publishStarAct)
  const code = isErrorCode(failure) ? failure : 'generation_failed'
  return html`<p class="bad">This picture can’t be used: ${errorTable[code].sentence}</p>
    ${actForm(call, retryStarAct, {}, code === 'generation_failed' ? { without: ['picture'] } : { button: 'Choose another picture', isFolded: false })}`
}

function showPictures({ path }: OperatorCall, { state, sample_count }: Star) {
  const isCutOut = state === 'draft' || state === 'published' || sample_count > 0
  const samples = Array.from({ length: sample_count }, (_, index) => `sample-${index + 1}`)
  const names = isCutOut ? ['original', 'cutout', ...samples] : ['upload']
  return html`<ul class="pictures">
    ${names.map((name) => {
      const text = starPictures[name]?.text
      return html`<li><img src="${path}/${name}" alt="${text}" loading="lazy" /> ${text}</li>`
    })}
  </ul>`
}
