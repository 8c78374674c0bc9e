import { sql } from 'kysely'
import { html } from '../../platform/http/html.ts'
import type { Html } from '../../platform/http/html.ts'
import type { PlacedStar } from '../../stars/open-presets.ts'
import { actForms } from '../act.ts'
import { actForm } from '../act-form.ts'
import { addStarAct, placeStarAct } from '../acts/star-acts.ts'
import type { OperatorCall, OperatorPage } from '../operator-page.ts'
import { moveForms } from '../form-fields.ts'
import { listPage, listTable, searchOf, time } from '../tables.ts'
import { starStates } from './star-page.ts'

const pageSize = 50

/** All stars with search, their places, and adding one. */
export const starsPage: OperatorPage = {
  path: '/admin/presets',
  title: 'Stars',
  right: 'see stars',
  group: 'Shop',
  hasScript: true,
  show: showStars,
  forms: actForms(addStarAct, placeStarAct),
}

async function showStars(call: OperatorCall): Promise<Html> {
  const { search, searchForm } = searchOf(call, 'Name or id')
  const stars = call.context.presets
    .listPlaced()
    .map((star, index, { length: count }) => ({ ...star, index, count }))
  const found = stars.filter(({ name, id }) =>
    `${name} ${id}`.toLowerCase().includes(search.toLowerCase()),
  )
  const unpublished = await findUnpublished(call, search)
  return html`${searchForm} ${actForm(call, addStarAct)}
    ${
      unpublished.length > 0 &&
      html`<h2>Not published yet</h2>
        ${listTable(unpublished, {
          Name: ({ id, name }) => html`<a href="/admin/presets/${id}">${name}</a>`,
          State: ({ state }) => starStates[state],
          Added: ({ created_at }) => time(created_at),
        })}`
    }
    <h2>${found.length} ${search === '' ? 'stars, in the order that users see' : 'found'}</h2>
    ${await listPage(
      call,
      ({ offset, limit }) => found.slice(offset, offset + limit),
      {
        Picture: ({ thumbnail }) =>
          html`<img src="${thumbnail.jpeg}" alt="" width="64" height="80" loading="lazy" />`,
        Name: ({ id, name, isOwn }) =>
          isOwn ? html`<a href="/admin/presets/${id}">${name}</a>` : name,
        Category: ({ category }) => category,
        Licence: ({ licence }) => licence,
        Shown: (star) => html`${star.isHidden ? 'no' : 'yes'} ${hideForm(call, star)}`,
        Place: (star) => moves(call, star),
      },
      { rowsMax: pageSize },
    )}`
}

type StarRow = PlacedStar & { index: number; count: number }

function hideForm(call: OperatorCall, { id, index, isHidden }: StarRow): Html | false {
  const given = { id, position: String(index + 1), ...(isHidden ? {} : { hidden: 'on' }) }
  const options = { button: isHidden ? 'Show' : 'Hide', row: `${id} hide`, without: ['hidden'] }
  return actForm(call, placeStarAct, given, options)
}

function moves(call: OperatorCall, { id, index, count, isHidden }: StarRow): Html {
  const given = { id, ...(isHidden ? { hidden: 'on' } : {}) }
  const without = ['hidden']
  return html`${moveForms({ id, index, count }, (place, options) =>
    actForm(call, placeStarAct, { ...given, position: String(place) }, { ...options, without }),
  )}
  ${actForm(call, placeStarAct, given, { row: id, without, button: 'Move to …' })}`
}

function findUnpublished({ context }: OperatorCall, search: string) {
  return context.database
    .selectFrom('stars')
    .select(['id', 'name', 'state', 'created_at'])
    .where('state', 'in', ['cutting', 'failed', 'draft'])
    .$if(search !== '', (rows) =>
      rows.where(sql<boolean>`position(lower(${search}) in lower(name || ' ' || id)) > 0`),
    )
    .orderBy('created_at', 'desc')
    .limit(pageSize)
    .execute()
}
