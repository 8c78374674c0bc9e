import { eventRolePages, eventRoles, printFormats } from '@starside/contract/event-formats.ts'
import { generationPriceCredits } from '@starside/contract/limits.ts'
import { languages } from '@starside/contract/languages.ts'
import { sceneNames } from '@starside/contract/scenes.ts'
import texts from '@starside/contract/texts/en/dashboard.json' with { type: 'json' }
import eventTexts from '@starside/contract/texts/en/events.json' with { type: 'json' }
import { sql } from 'kysely'
import { findRows } from '../../platform/db/rows.ts'
import { countEvent } from '../../events/count-event.ts'
import { fieldsOf } from '../../events/event-rules.ts'
import { deletionOf, eventUrl, findEventOfOperator, stateOf } from '../../events/event.ts'
import type { EventRow } from '../../events/event.ts'
import { readBudget } from '../../events/guest-credits.ts'
import { sendCsv } from '../../platform/http/csv.ts'
import { html } from '../../platform/http/html.ts'
import type { Html } from '../../platform/http/html.ts'
import { actForms } from '../act.ts'
import { actForm } from '../act-form.ts'
import { languageWord } from '../form-fields.ts'
import type { TickOption } from '../form-fields.ts'
import {
  createEventAct,
  editEventAct,
  endEvent,
  fillEventBudget,
  makeEventLink,
  withdrawEventLink,
} from '../acts/event-acts.ts'
import { OperatorError } from '../operator-page.ts'
import type { NamedPage, OperatorCall, PageBody } from '../operator-page.ts'
import { facts, listPage, listTable, qrCode, time } from '../tables.ts'
import purposes from './event-page-purposes.json' with { type: 'json' }

export const eventsPage: PageBody = { show: showEvents, forms: actForms(createEventAct) }

async function showEvents(call: OperatorCall): Promise<Html> {
  const { database, clock } = call.context
  const readEvents = ({ offset, limit }: { offset: number; limit: number }) =>
    findRows(database, 'events', sql`true order by starts_at desc limit ${limit} offset ${offset}`)
  return html`${actForm(call, createEventAct, {}, { among: choicesOf(call) })}
  ${await listPage(call, readEvents, 'No event yet: make the first above.', {
    Event: ({ id, title }) => html`<a href="/admin/events/${id}">${title}</a>`,
    Address: ({ name }) => `/e/${name}`,
    From: ({ starts_at: at }) => time(at),
    To: ({ ends_at: at }) => time(at),
    State: (event) => describeState(event, clock()),
  })}`
}

/** What users read of a scene; those of earlier versions have no words. */
export const sceneWords: Record<string, string> = { ...texts.scenes, own: 'As in their photo' }

/** What an event can be limited to. */
function choicesOf({ context }: OperatorCall): Record<string, TickOption[]> {
  const offered = context.presets.listPlaced().filter(({ isHidden }) => !isHidden)
  return {
    stars: offered.map(({ id, name, thumbnail }) => ({
      value: id,
      text: name,
      image: thumbnail.jpeg,
    })),
    scenes: sceneNames.map((value) => ({
      value,
      text: sceneWords[value] ?? value,
      image: `/examples/${value === 'own' ? 'face-1/portrait-192' : `${value}/backdrop-240`}.avif`,
    })),
    languages: languages.map((value) => ({ value, text: languageWord(value) })),
    prints: printFormats.map((value) => ({ value, text: eventTexts.printFormats[value] })),
  }
}

function describeState(event: EventRow, now: Date): Html | string {
  if (event.deleted_at !== null) return html`guests’ data deleted ${time(event.deleted_at)}`
  const state = stateOf(event, now)
  return state === 'over' ? html`over, guests’ data deleted ${time(deletionOf(event))}` : state
}

export const eventPage: PageBody = {
  show: showEvent,
  forms: actForms(editEventAct, fillEventBudget, makeEventLink, withdrawEventLink, endEvent),
  downloads: {
    csv: {
      right: 'see events',
      async send(call, reply) {
        const event = await findEventOfOperator(call.context.database, call.params['id'] ?? '')
        if (event === undefined) throw new OperatorError(404, 'There is no such event.')
        const counts = await countEvent(call.context.database, event)
        const rows = counts.map(({ hour, star, scene, selfies, prints }) => {
          const at = hour.toISOString().slice(0, 16).replace('T', ' ')
          return [at, star, scene, selfies, prints]
        })
        const heads = ['hour (UTC)', 'star', 'scene', 'selfies', 'prints']
        return sendCsv(reply, `event-${event.name}.csv`, [heads, ...rows])
      },
    },
  },
}

async function showEvent(call: OperatorCall): Promise<NamedPage | undefined> {
  const { database, config, clock } = call.context
  const event = await findEventOfOperator(database, call.params['id'] ?? '')
  if (event === undefined) return undefined
  const counts = await countEvent(database, event)
  const sum = (each: 'selfies' | 'prints') => counts.reduce((all, count) => all + count[each], 0)
  const used = sum('selfies') * generationPriceCredits
  const newestLinks = sql`event_id = ${event.id} order by made_at desc`
  const links = await findRows(database, 'event_links', newestLinks)
  const url = eventUrl(config, event)
  const { held, free } = await readBudget(database, event)
  const body = html`${facts([
      ['State', describeState(event, clock())],
      ['From', time(event.starts_at)],
      ['To', time(event.ends_at)],
      ['Guests’ data deleted', time(deletionOf(event))],
      ['Guests', html`<a href="${url}">${url}</a>`],
      ['Budget', `${used} used, ${held} held by guests, ${free} free`],
      ['Selfies for each guest', event.selfies_per_guest],
      ['Selfies', sum('selfies')],
      ['Prints', sum('prints')],
    ])}
    ${
      event.deleted_at === null &&
      html`${await qrCode(url)}
        <p class="poster">Scan, or open ${url.replace(/^https?:\/\//, '')}</p>
        <div class="acts">
          <button type="button" data-print hidden>Print a poster</button>
          ${actForm(call, fillEventBudget)}
          ${stateOf(event, clock()) === 'running' && actForm(call, endEvent)}
        </div>
        ${actForm(call, editEventAct, {}, { begins: fieldsOf(event), among: choicesOf(call) })}
        <h2>Pages</h2>
        ${listTable(eventRoles, '', {
          Page: (role) => html`<b>${role}</b>`,
          'What for': (role) => purposes[role],
          Address: (role) => `/e/${event.name}/${eventRolePages[role]}`,
          Actions: (role) => actForm(call, makeEventLink, { role }, { row: role }),
        })}
        <h2>Links</h2>
        ${listTable(links, 'No link yet: make one for each device that shows a page.', {
          For: ({ role }) => role,
          Made: ({ made_at: at, made_by: by }) => html`${time(at)} by ${by}`,
          Opened: ({ opened_at: at }) => time(at),
          Actions: ({ id }) => actForm(call, withdrawEventLink, { link: id }, { row: id }),
        })}`
    }
    <h2>Counts</h2>
    <p><a href="${call.path}/csv">Save as CSV</a></p>
    ${listTable(counts, 'Nobody has made a selfie yet.', {
      Hour: ({ hour }) => time(hour),
      Star: ({ star }) => star,
      Scene: ({ scene }) => sceneWords[scene] ?? scene,
      Selfies: ({ selfies }) => selfies,
      Prints: ({ prints }) => prints,
    })}`
  return { name: event.title, body }
}
