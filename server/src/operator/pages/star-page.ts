import type { FastifyReply } from 'fastify'
import { z } from 'zod'
import { html } from '../../http/html.ts'
import type { Html } from '../../http/html.ts'
import { findStar, publishStar, retireStar } from '../../stars/edit-stars.ts'
import { samplesMax, starObjectKey, starObjects, starSampleKey } from '../../stars/star-objects.ts'
import type { StarObject } from '../../stars/star-objects.ts'
import { defineForm } from '../admin-page.ts'
import type { AdminCall, AdminDownload, AdminPage } from '../admin-page.ts'
import { foldedForm, form } from '../form-fields.ts'
import { reasonField } from '../reason-field.ts'
import { facts, time } from '../tables.ts'

const act = 'change stars'
const seeAct = 'see stars'

/** One of the operator's stars: what is told of it, its pictures, and what may be done. */
export const starPage: AdminPage = {
  path: '/admin/presets/:id',
  title: 'Star',
  act: seeAct,
  show: showStar,
  forms: {
    publish: defineForm({
      act,
      fields: z.object({}),
      async submit({ context, params: { id = '' } }) {
        if (!(await publishStar(context.database, id))) {
          return { refused: 'There is no such draft.' }
        }
        await context.presets.refresh()
        return { done: 'The star is offered now.', log: { subject: id } }
      },
    }),
    retire: defineForm({
      act,
      fields: z.object({ reason: reasonField }),
      async submit({ context, params: { id = '' } }, { reason }) {
        if (!(await retireStar(context.database, id))) {
          return { refused: 'There is no such star.' }
        }
        await context.presets.refresh()
        return {
          done: 'The star is retired. Selfies with it keep its name.',
          log: { subject: id, reason },
        }
      },
    }),
  },
  downloads: {
    original: objectDownload('picture'),
    cutout: objectDownload('preview'),
    ...Object.fromEntries(
      Array.from({ length: samplesMax }, (_, index) => [
        `sample-${index + 1}`,
        pictureDownload((folder) => starSampleKey(folder, index), 'image/jpeg'),
      ]),
    ),
  },
}

function objectDownload(object: StarObject): AdminDownload {
  return pictureDownload((folder) => starObjectKey(folder, object), starObjects[object].mediaType)
}

/** A picture of the star from the store, for the page alone. */
function pictureDownload(keyOf: (folder: string) => string, mediaType: string): AdminDownload {
  return {
    act: seeAct,
    async send({ context, params: { id = '' } }, reply): Promise<FastifyReply> {
      const star = await findStar(context.database, id)
      const bytes = star && (await context.store.get(keyOf(star.object_folder)))
      if (bytes === undefined) return reply.status(404).send()
      return reply.type(mediaType).send(Buffer.from(bytes))
    },
  }
}

async function showStar(call: AdminCall): Promise<Html | undefined> {
  const { context, params, path } = call
  const star = await findStar(context.database, params['id'] ?? '')
  if (star === undefined) return undefined
  const pictures = [
    ['original', 'Original'],
    ['cutout', 'Cut-out, on squares that show rims'],
    ...Array.from(
      { length: star.sample_count },
      (_, index) => [`sample-${index + 1}`, `Sample ${index + 1}`] as const,
    ),
  ] as const
  return html`<p><a href="/admin/presets">All stars</a></p>
    <h2>${star.name}</h2>
    ${facts([
      ['State', star.state],
      ['Id', html`<code>${star.id}</code>`],
      ['Known for', star.category],
      ...Object.entries(star.line ?? {}).map(
        ([language, line]) => [`Line (${language})`, line] as const,
      ),
      ['Licence', star.licence],
      ['Attribution', star.attribution],
      ['Source', star.source],
      ['Consent', star.consent_note],
      ['Made by a model', star.ai_generated ? 'yes' : 'no'],
      ['Added', `${time(star.created_at)} by ${star.created_by}`],
    ])}
    <ul class="pictures">
      ${pictures.map(
        ([name, text]) =>
          html`<li><img src="${path}/${name}" alt="${text}" loading="lazy" /> ${text}</li>`,
      )}
    </ul>
    ${
      call.may(act) &&
      star.state === 'draft' &&
      form(call, 'publish', () => html``, { button: 'Publish' })
    }
    ${
      call.may(act) &&
      star.state !== 'retired' &&
      foldedForm(
        call,
        'retire',
        (fields) =>
          html`<p>
              For good: the id is given to nobody else. To hide a star for a while, use its place.
            </p>
            ${fields.text({ name: 'reason', label: 'Reason', isRequired: true, lengthMax: 500 })}`,
        { button: 'Retire', isDangerous: true },
      )
    }`
}
