import { sql } from 'kysely'
import type { Selectable } from 'kysely'
import { findRows } from '../../platform/db/rows.ts'
import type { GenerationsTable } from '../../platform/db/tables.d.ts'
import { isUuid } from '../../platform/db/uuid.ts'
import { html } from '../../platform/http/html.ts'
import type { Html } from '../../platform/http/html.ts'
import { selectOwned } from '../../selfies/queries.ts'
import { readPictureFile } from '../../selfies/serve-picture.ts'
import { findVariation } from '../../selfies/variations/variation-queries.ts'
import { actForms } from '../act.ts'
import { actForm } from '../act-form.ts'
import { removePictureAct } from '../acts/report-acts.ts'
import { logOpening, pictureOpening } from '../operator-log.ts'
import { OperatorError } from '../operator-page.ts'
import type { OperatorCall, OperatorDownload, PageBody } from '../operator-page.ts'
import { facts, listTable, selfieLink, time } from '../tables.ts'
import type { Columns } from '../tables.ts'
import { sceneWords } from './events-page.ts'
import { reportColumns } from './reports-page.ts'

const opensPictures = 'open pictures'
const pictureFiles = ['picture.jpg', 'thumbnail.jpg', 'preview.jpg'] as const

/** A selfie with all that is known of it, also a deleted one. */
export const selfiePage: PageBody = {
  async show(call) {
    const selfie = await findSelfie(call)
    if (selfie === undefined) return undefined
    const { id, state, scene, deleted_at: deleted, share_id: shared } = selfie
    const isThere = state === 'done' && deleted === null
    const mayOpen = call.may(opensPictures)
    const place = selfie.has_background_photo ? 'own photo' : (sceneWords[scene ?? 'own'] ?? scene)
    const { Picture: _small, Selfie: _short, ...told } = selfieColumns(call)
    const { all, open } = reportColumns({ ...call, path: '/admin/reports' })
    const { Selfie: _own, Picture: _link, ...ofReport } = { ...all, ...open }
    const newest = sql`generation_id = ${id} order by created_at desc`
    const reports = await findRows(call.context.database, 'reports', newest)
    const body = html`<p><a href="/admin/selfies">All selfies</a></p>
      <div class="selfie">
        ${isThere && (mayOpen ? showPicture(call, selfie) : html`<p>Your role opens no pictures.</p>`)}
        <div>
          ${facts([
            ...Object.entries({ ...told, ...makingColumns }).map(
              ([name, cell]) => [name, cell(selfie) || false] as const,
            ),
            ['Scene', place],
            ['Size', isThere && `${selfie.width_px} × ${selfie.height_px} pixels`],
            ['Shared by a public link', isThere && (shared === null ? 'no' : 'yes')],
            ['Deleted', deleted !== null && html`<span class="bad">${time(deleted)}</span>`],
            ['Selfie', html`<code>${id}</code>`],
          ])}
          ${isThere && actForm(call, removePictureAct)}
        </div>
      </div>
      ${isThere && mayOpen && showVersions(call, selfie)}
      <h2>Reports</h2>
      ${listTable(reports, 'Nobody has reported it.', ofReport)}`
    return { name: `Selfie with ${(selfie.star_names ?? [selfie.celebrity]).join(', ')}`, body }
  },
  forms: actForms(removePictureAct),
  downloads: Object.fromEntries(pictureFiles.map((file) => [file, pictureDownload(file)])),
}

function findSelfie({ context, params: { id = '' } }: OperatorCall) {
  if (!isUuid(id)) return undefined
  const found = selectOwned(context.database).where('generations.id', '=', id)
  return found.select(['users.username', lastLikeness]).executeTakeFirst()
}

type Selfie = NonNullable<Awaited<ReturnType<typeof findSelfie>>>

/** As its owner has it; opening it is logged. */
function showPicture({ path }: OperatorCall, { celebrity }: Selfie) {
  const src = `${path}/picture.jpg`
  return html`<a href="${src}"><img src="${src}" alt="Selfie with ${celebrity}" /></a>`
}

function showVersions({ path }: OperatorCall, { variations }: Selfie) {
  if (variations === null || variations.length < 2) return false
  return html`<h2>Versions</h2>
    <ul class="pictures">
      ${variations.map(({ id, position, isRendered, isChosen, isShared }) => {
        const src = `${path}/${isRendered ? 'picture' : 'preview'}.jpg?version=${id}`
        return html`<li>
          <a href="${src}"><img src="${src}" alt="Version ${position + 1}" loading="lazy" /></a>
          Version ${position + 1}${isChosen && ', shown'}${isShared && ', shared'}
        </li>`
      })}
    </ul>`
}

/** Sends it as its owner has it; who opened whose, and when, is logged once a day. */
function pictureDownload(file: (typeof pictureFiles)[number]): OperatorDownload {
  return {
    right: opensPictures,
    async send(call, reply) {
      const selfie = await findSelfie(call)
      const { version: variationId = '' } = call.query
      const own = { generationId: selfie?.id ?? '', variationId }
      const shown = isUuid(variationId) ? await findVariation(call.context.database, own) : selfie
      if (selfie?.state !== 'done' || selfie.deleted_at !== null || shown === undefined) {
        throw new OperatorError(404, 'There is no such picture.')
      }
      await logOpening(call, pictureOpening, selfie.id)
      const { is_premium } = selfie
      const bytes = await readPictureFile(call.context, { ...shown, is_premium }, file)
      return reply.type('image/jpeg').send(bytes)
    },
  }
}

/** What lists show of selfies. */
export function selfieColumns(call: OperatorCall) {
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
    Selfie: ({ id }) => selfieLink(id),
  } satisfies Columns<ListedSelfie>
}

type ListedSelfie = Pick<
  Selectable<GenerationsTable>,
  'id' | 'state' | 'stage' | 'celebrity' | 'preset_id' | 'error_code' | 'created_at'
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
  if (provider === 'compositor') return `here (version ${model?.replace(/\D+/, '')})`
  const alike = likeness === null ? '' : `, likeness ${Math.round(likeness * 100)} %`
  return `${provider ?? ''} ${model ?? ''}${alike}`
}

export const lastLikeness = sql<number | null>`(
  select likeness from generation_attempts
  where generation_id = generations.id and likeness is not null
  order by created_at desc limit 1)`.as('likeness')

/** A private picture, small, for those who may open it; it leads to the selfie's page. */
export function selfiePicture(call: OperatorCall, id: string | null): Html | false {
  if (id === null || !call.may(opensPictures)) return false
  const page = `/admin/selfies/${id}`
  const small = html`<img class="face" src="${page}/thumbnail.jpg" alt="Selfie" loading="lazy" />`
  return html`<a href="${page}">${small}</a>`
}
