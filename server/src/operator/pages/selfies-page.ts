import type { FastifyReply } from 'fastify'
import { sql } from 'kysely'
import type { Selectable } from 'kysely'
import type { GenerationsTable } from '../../platform/db/tables.d.ts'
import { isUuid } from '../../platform/db/uuid.ts'
import { html } from '../../platform/http/html.ts'
import type { Html } from '../../platform/http/html.ts'
import { selectOwned } from '../../selfies/queries.ts'
import { readPictureFile } from '../../selfies/serve-picture.ts'
import { OperatorError } from '../operator-page.ts'
import { logOpening, pictureOpening } from '../operator-log.ts'
import type { OperatorCall, PageBody } from '../operator-page.ts'
import { listPage, shortId, time } from '../tables.ts'
import type { Columns } from '../tables.ts'

/** As many as somebody looks at; pictures are fetched when they come into view. */
const rowsMax = 50
const opensPictures = 'open pictures'

export const selfiesPage: PageBody = {
  async show(call) {
    return listPage(
      call,
      (page) => findSelfies(call, page),
      {
        ...selfieColumns(call),
        User: ({ user_id, username }) => html`<a href="/admin/users/${user_id}">${username}</a>`,
        'Made by': madeBy,
        Seconds: ({ created_at, finished_at }) =>
          finished_at === null
            ? ''
            : ((finished_at.getTime() - created_at.getTime()) / 1_000).toFixed(1),
      },
      { rowsMax, empty: 'Nobody has made a selfie yet.' },
    )
  },
  downloads: { picture: { right: opensPictures, send: sendPicture } },
}

export function selfieColumns(call: OperatorCall): Columns<ListedSelfie> {
  return {
    Picture: (row) => selfiePicture(call, row.state === 'done' ? row.id : null),
    Star: ({ celebrity, preset_id }) => {
      const face = call.context.presets.find(preset_id ?? '')?.thumbnail.jpeg
      return html`${face !== undefined && html`<img class="face" src="${face}" alt="" loading="lazy" />`}
      ${celebrity}`
    },
    State: ({ state, stage, error_code }) => {
      if (state === 'failed') return html`<span class="bad">${error_code}</span>`
      return state === 'done' ? 'done' : stage
    },
    Since: ({ created_at }) => time(created_at),
    Selfie: ({ id }) => shortId(id),
  }
}

/** The compositor by its version; a hosted model with how alike its picture is, where that is known. */
function madeBy(row: { provider: string | null; model: string | null; likeness: number | null }) {
  const { provider, model, likeness } = row
  if (provider === 'compositor') return `here (version ${model?.replace(/\D+/, '')})`
  const alike = likeness === null ? '' : `, likeness ${Math.round(likeness * 100)} %`
  return `${provider ?? ''} ${model ?? ''}${alike}`
}

type ListedSelfie = Pick<
  Selectable<GenerationsTable>,
  'id' | 'state' | 'stage' | 'celebrity' | 'preset_id' | 'error_code' | 'created_at'
>

/** A private picture, small, for those who may open it; it leads to the picture as it is kept. */
export function selfiePicture(call: OperatorCall, id: string | null): Html | false {
  if (id === null || !call.may(opensPictures)) return false
  const src = `/admin/selfies/picture?selfie=${id}`
  const small = html`<img class="face" src="${src}" alt="Selfie" loading="lazy" />`
  return html`<a href="${src}&amp;file=picture.jpg">${small}</a>`
}

/** Sends it as its owner has it; who opened whose, and when, is logged once a day. */
async function sendPicture(call: OperatorCall, reply: FastifyReply): Promise<FastifyReply> {
  const { context, query } = call
  const { selfie: id = '', file } = query
  const owned = selectOwned(context.database)
    .where('state', '=', 'done')
    .where('deleted_at', 'is', null)
  const row = isUuid(id)
    ? await owned.where('generations.id', '=', id).executeTakeFirst()
    : undefined
  if (row === undefined) throw new OperatorError(404, 'There is no such picture.')
  await logOpening(call, pictureOpening, row.id)
  const name = file === 'picture.jpg' ? file : 'thumbnail.jpg'
  return reply.type('image/jpeg').send(await readPictureFile(context, row, name))
}

const lastLikeness = sql<number | null>`(
  select likeness from generation_attempts
  where generation_id = generations.id and likeness is not null
  order by created_at desc limit 1)`.as('likeness')

async function findSelfies(
  { context }: OperatorCall,
  { offset, limit }: { offset: number; limit: number },
) {
  const newest = (state: 'running' | 'done' | 'failed') =>
    context.database
      .selectFrom('generations')
      .innerJoin('users', 'users.id', 'generations.user_id')
      .select(['generations.id', 'user_id', 'username', 'celebrity', 'preset_id'])
      .select(['state', 'stage', 'provider', 'model', 'error_code', 'finished_at'])
      .select('generations.created_at')
      .select(lastLikeness)
      .where('state', '=', sql.lit(state))
      .where('deleted_at', 'is', null)
      .orderBy(state === 'running' ? 'generations.created_at' : 'finished_at', 'desc')
      .limit(offset + limit)
      .execute()
  // Each state has an index of its own, by its own time.
  const found = await Promise.all([newest('running'), newest('done'), newest('failed')])
  return found
    .flat()
    .toSorted((one, other) => other.created_at.getTime() - one.created_at.getTime())
    .slice(offset, offset + limit)
}
