import { sql } from 'kysely'
import { findRows } from '../../platform/db/rows.ts'
import { isUuid } from '../../platform/db/uuid.ts'
import { html } from '../../platform/http/html.ts'
import { selectOwned } from '../../selfies/queries.ts'
import { readPictureFile } from '../../selfies/serve-picture.ts'
import { findVariation } from '../../selfies/variations/variation-queries.ts'
import { actForms } from '../act.ts'
import { actForm } from '../act-form.ts'
import { removePictureAct } from '../acts/report-acts.ts'
import { logOpening, pictureOpening } from '../operator-log.ts'
import { OperatorError } from '../operator-page.ts'
import type { OperatorCall, OperatorDownload, PageBody } from '../operator-page.ts'
import { facts, listTable, time } from '../tables.ts'
import { sceneWords } from './events-page.ts'
import { reportColumns } from './reports-page.ts'
import { lastLikeness, makingColumns, selfieColumns } from './selfie-columns.ts'

const pictureFiles = ['picture.jpg', 'thumbnail.jpg', 'preview.jpg'] as const

/** A selfie with all that is known of it, also a deleted one. */
export const selfiePage: PageBody = {
  async show(call) {
    const selfie = await findSelfie(call)
    if (selfie === undefined) return undefined
    const { id, state, deleted_at: deleted, share_id: shared, variations } = selfie
    const src = `${call.path}/picture.jpg`
    const isThere = state === 'done' && deleted === null
    const mayOpen = call.may('open pictures')
    const shown = variations?.find(({ isChosen }) => isChosen)?.arrangement
    const scene = shown?.scene ?? selfie.scene ?? 'own'
    const isPlace = scene === 'own' && selfie.has_background_photo
    const place = isPlace ? 'own photo' : (sceneWords[scene] ?? scene)
    const { Picture: _small, Selfie: _short, ...told } = selfieColumns(call)
    const { decided, open } = reportColumns({ ...call, path: '/admin/reports' })
    const { Selfie: _own, 'Reported link': _link, ...ofReport } = { ...decided, ...open }
    const newest = sql`generation_id = ${id} order by created_at desc`
    const reports = await findRows(call.context.database, 'reports', newest)
    const body = html`<p><a href="/admin/selfies">All selfies</a></p>
      <div class="selfie">
        ${isThere && (mayOpen ? html`<a href="${src}"><img src="${src}" alt="Selfie with ${selfie.celebrity}" /></a>` : html`<p>Your role opens no pictures.</p>`)}
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
    right: 'open pictures',
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
