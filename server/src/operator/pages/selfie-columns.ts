import { sql } from 'kysely'
import type { Selectable } from 'kysely'
import type { GenerationsTable } from '../../platform/db/tables.d.ts'
import { html } from '../../platform/http/html.ts'
import type { Html } from '../../platform/http/html.ts'
import type { OperatorCall } from '../operator-page.ts'
import { refusalText, selfieLink, time } from '../tables.ts'
import type { Columns } from '../tables.ts'

/** What lists show of selfies. */
export function selfieColumns(call: OperatorCall) {
  return {
    Picture: (row) => selfiePicture(call, row.state === 'done' ? row.id : null),
    Star: ({ celebrity, star_names, preset_id, second_preset_id }) => {
      const stars = call.context.presets.listPlaced()
      const faces = [preset_id, second_preset_id].flatMap(
        (id) => stars.find((star) => star.id === id)?.thumbnail.jpeg ?? [],
      )
      return html`${faces.map((face) => html`<img class="face" src="${face}" alt="" loading="lazy" />`)}
      ${(star_names ?? [celebrity]).join(', ')}`
    },
    State: ({ state, stage, error_code }) => {
      if (state === 'failed') return html`<span class="bad">${refusalText(error_code ?? '')}</span>`
      return state === 'done' ? 'done' : stage
    },
    When: ({ created_at }) => time(created_at),
    Selfie: ({ id }) => selfieLink(id),
  } satisfies Columns<ListedSelfie>
}

type ListedSelfie = Pick<
  Selectable<GenerationsTable>,
  | ('id' | 'state' | 'stage' | 'error_code' | 'created_at')
  | ('celebrity' | 'star_names' | 'preset_id' | 'second_preset_id')
>

/** Whose they are, and by what they were made. */
export const makingColumns: Columns<MadeSelfie> = {
  User: ({ user_id, username }) => html`<a href="/admin/users/${user_id}">${username}</a>`,
  'Made by': madeBy,
  Seconds: ({ created_at, finished_at }) =>
    finished_at === null ? '' : ((finished_at.getTime() - created_at.getTime()) / 1_000).toFixed(1),
}

type MadeSelfie = Pick<
  Selectable<GenerationsTable>,
  'user_id' | 'provider' | 'model' | 'created_at' | 'finished_at'
> & { username: string; likeness: number | null }

/** The compositor by its version; a hosted model with how alike its picture is, where that is known. */
function madeBy({ provider, model, likeness }: MadeSelfie) {
  if (provider === 'compositor') return `built-in engine, version ${model?.replace(/\D+/, '')}`
  const alike = likeness === null ? '' : `, likeness ${Math.round(likeness * 100)} %`
  return `${provider ?? ''} ${model ?? ''}${alike}`
}

export const lastLikeness = sql<number | null>`(
  select likeness from generation_attempts
  where generation_id = generations.id and likeness is not null
  order by created_at desc limit 1)`.as('likeness')

/** A private picture, small, for those who may open it; it leads to the selfie's page. */
export function selfiePicture(call: OperatorCall, id: string | null): Html | false {
  if (id === null || !call.may('open pictures')) return false
  const page = `/admin/selfies/${id}`
  const small = html`<img class="face" src="${page}/thumbnail.jpg" alt="Selfie" loading="lazy" />`
  return html`<a href="${page}">${small}</a>`
}
