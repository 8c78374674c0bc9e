import { errorTable } from '@starside/contract/errors.ts'
import { defaultLanguage, languageNames, languages } from '@starside/contract/languages.ts'
import { uploadBytesMax, uploadFormats } from '@starside/contract/limits.ts'
import { presetCategories } from '@starside/contract/preset-categories.ts'
import { PhotoError } from '@starside/engine/photo/photo-error.ts'
import { z } from 'zod'
import { addStar } from '../../stars/add-star.ts'
import { findStar, placeStar, publishStar, retireStar, retryStar } from '../../stars/edit-stars.ts'
import { starPositionMax, starRules } from '../../stars/star-rules.ts'
import { defineAct } from '../act.ts'
import type { ActField } from '../act.ts'
import { reasonField, reasonSchema } from './reason.ts'

const right = 'change stars'
const id = z.string('Say which star.').min(1, 'Say which star.').max(40)
const idField = { label: 'Star', place: 'ID' }

const lineFields = Object.fromEntries(
  languages.map((language): [string, ActField] => [
    `line_${language}`,
    {
      label: `Line, ${languageNames[language].name}`,
      lengthMax: 120,
      ...(language === defaultLanguage
        ? { option: 'line', hint: 'Shown where a translation is missing.' }
        : {}),
    },
  ]),
)

export const addStarAct = defineAct({
  name: 'preset add',
  right,
  help: 'adds a star; you need the right to use the picture',
  button: 'Add a star',
  fileBytesMax: uploadBytesMax,
  fields: {
    picture: {
      label: 'Picture',
      kind: 'file',
      accept: 'image/jpeg,image/png,image/webp,image/avif',
      hint: `One person from the front, with the whole head and the shoulders. ${uploadFormats}.`,
      isRequired: true,
    },
    name: { label: 'Name', isRequired: true, lengthMax: 60 },
    category: { label: 'Known for', kind: presetCategories, isRequired: true },
    ...lineFields,
    licence: { label: 'Licence', isRequired: true, lengthMax: 100 },
    attribution: {
      label: 'Attribution',
      hint: 'Shown to users.',
      isRequired: true,
      lengthMax: 300,
    },
    source: {
      label: 'Source',
      hint: 'Where the picture comes from.',
      isRequired: true,
      lengthMax: 500,
    },
    consentNote: {
      label: 'Consent',
      kind: 'area',
      option: 'consent',
      hint: 'Why this person’s picture may be used for selfies: who agreed, when, where that is written.',
      isRequired: true,
      lengthMax: 2000,
    },
    aiGenerated: { label: 'Made by a model; the person does not exist', kind: 'tick' },
  },
  schema: starRules,
  async run(parts, rules, { picture }) {
    const star = {
      ...rules,
      picture: picture?.bytes ?? Buffer.alloc(0),
      createdBy: parts.operatorName,
    }
    try {
      const added = await addStar({ ...parts, store: await parts.store() }, star)
      const to = `/admin/presets/${added}`
      return {
        done: `${rules.name} is being cut out, under ${to}. Look at the pictures in some seconds, then publish '${added}'.`,
        to,
        log: { subject: added, after: rules },
      }
    } catch (error) {
      if (!(error instanceof PhotoError)) throw error
      return { refused: `Nothing was added. ${errorTable[error.code].sentence}` }
    }
  },
})

export const publishStarAct = defineAct({
  name: 'preset publish',
  right,
  help: 'offers a star that was added, on every node at once',
  button: 'Publish',
  fields: { id: idField },
  schema: z.object({ id }),
  async run({ database }, { id: starId }) {
    if (await publishStar(database, starId)) return { done: `'${starId}' is offered now.` }
    // Whoever types both commands one after the other comes before the star is cut out.
    const star = await findStar(database, starId)
    return star?.state === 'cutting'
      ? { refused: `'${starId}' is still being cut out. Try again in a moment.` }
      : { refused: 'There is no such draft.' }
  },
})

export const retryStarAct = defineAct({
  name: 'preset retry',
  right,
  help: 'has a star that failed cut out anew',
  button: 'Try again',
  fields: { id: idField },
  schema: z.object({ id }),
  async run(parts, { id: starId }) {
    return (await retryStar(parts, starId))
      ? { done: `'${starId}' is cut out anew.` }
      : { refused: 'There is no such star that failed.' }
  },
})

export const placeStarAct = defineAct({
  name: 'preset place',
  right,
  help: 'says where any star stands, smaller in front, and whether it is shown',
  button: 'Move',
  fields: {
    id: idField,
    position: { label: 'Position', kind: 'number', place: 'POSITION' },
    hidden: { label: 'Hidden', kind: 'tick' },
  },
  schema: z.object({
    id,
    position: z
      .string()
      .regex(/^\d{1,6}$/, 'A whole number.')
      .transform(Number)
      .pipe(z.number().max(starPositionMax, `Up to ${starPositionMax}.`)),
    hidden: z.literal('on').optional(),
  }),
  async run(parts, { id: starId, position, hidden }) {
    if (!(await parts.hasStar(starId))) return { refused: 'There is no such star.' }
    const { database } = parts
    const before = await database
      .selectFrom('star_places')
      .select(['position', 'is_hidden as isHidden'])
      .where('star_id', '=', starId)
      .executeTakeFirst()
    const after = { position, isHidden: hidden === 'on' }
    await placeStar(database, { id: starId, ...after })
    return {
      done: `'${starId}' is ${after.isHidden ? 'hidden' : 'shown'} at ${position}.`,
      log: { before, after },
    }
  },
})

export const retireStarAct = defineAct({
  name: 'preset retire',
  right,
  help: 'takes a star that was added out of the offer for good; selfies keep its name',
  button: 'Retire',
  isDangerous: true,
  fields: { id: idField, reason: reasonField },
  schema: z.object({ id, reason: reasonSchema }),
  async run({ database }, { id: starId }) {
    return (await retireStar(database, starId))
      ? { done: `'${starId}' is retired. Selfies with it keep its name.` }
      : { refused: 'There is no such star of your own.' }
  },
})
