import { errorTable } from '@starside/contract/errors.ts'
import { defaultLanguage, languageNames, languages } from '@starside/contract/languages.ts'
import { uploadBytesMax, uploadFormats } from '@starside/contract/limits.ts'
import { presetCategories } from '@starside/contract/preset-categories.ts'
import { PhotoError } from '@starside/engine/photo/photo-error.ts'
import { z } from 'zod'
import { addStar } from '../../stars/add-star.ts'
import {
  editStar,
  findStar,
  placeStar,
  publishStar,
  retireStar,
  retryStar,
} from '../../stars/edit-stars.ts'
import { aboutStar, starPositionMax, starRules } from '../../stars/star-rules.ts'
import { defineAct } from '../act.ts'
import type { ActField } from '../act.ts'
import { problemsOf, seeMarkedFields } from '../operator-page.ts'
import { reasonField, reasonSchema } from './reason.ts'

const right = 'change stars'
const id = z.string('Say which star.').min(1, 'Say which star.').max(40)
const unknownStar = { refused: 'There is no such star.' }
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

/** What is told of a star, and can be told otherwise later. */
const aboutFields = {
  name: { label: 'Name', isRequired: true, lengthMax: 60 },
  category: { label: 'Category', kind: presetCategories, isRequired: true },
  ...lineFields,
  licence: { label: 'Licence', isRequired: true, lengthMax: 100 },
  licenceFrom: { label: 'Licensed from', kind: 'date', option: 'licence-from' },
  licenceUntil: {
    label: 'Licensed until',
    kind: 'date',
    option: 'licence-until',
    hint: 'The last day (UTC); then it is offered to nobody. Empty: without an end.',
  },
  licenceUses: { label: 'Licensed for', option: 'licence-uses', lengthMax: 300 },
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
    hint: 'Who agreed to selfies with this picture, when, and where it is written.',
    isRequired: true,
    lengthMax: 2000,
  },
} satisfies Record<string, ActField>

export const editStarAct = defineAct({
  name: 'preset edit',
  right,
  help: 'says something else of a star that was added; what is left out stays',
  button: 'Save',
  fields: {
    id: idField,
    ...Object.fromEntries(
      Object.entries<ActField>(aboutFields).map(([name, { isRequired: _isRequired, ...field }]) => [
        name,
        field,
      ]),
    ),
  },
  schema: z.looseObject({ id }),
  async run({ database }, { id: starId, ...given }) {
    const star = await findStar(database, starId)
    if (star === undefined) return unknownStar
    const before = aboutStar(star)
    const aiGenerated = star.ai_generated ? 'on' : undefined
    const parsed = starRules.safeParse({ ...before, ...given, aiGenerated })
    if (!parsed.success) return { refused: seeMarkedFields, problems: problemsOf(parsed.error) }
    if (!(await editStar(database, { id: starId, ...parsed.data }))) return unknownStar
    return { done: `${parsed.data.name} is changed.`, log: { before, after: parsed.data } }
  },
})

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
    ...aboutFields,
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
  help: 'says at which place any star stands, 1 is the first, and whether it is shown',
  button: 'Move',
  fields: {
    id: idField,
    position: { label: 'Place', kind: 'number', place: 'PLACE' },
    hidden: { label: 'Hidden', kind: 'tick' },
  },
  schema: z.object({
    id,
    position: z
      .string()
      .regex(/^\d{1,6}$/, 'A whole number.')
      .transform(Number)
      .pipe(z.number().min(1, 'The first is 1.').max(starPositionMax, `Up to ${starPositionMax}.`)),
    hidden: z.literal('on').optional(),
  }),
  async run(parts, { id: starId, position, hidden }) {
    const stars = await parts.listStars()
    const index = stars.findIndex((star) => star.id === starId)
    const star = stars[index]
    if (star === undefined) return unknownStar
    const place = Math.min(position, stars.length)
    const isHidden = hidden === 'on'
    await placeStar(parts.database, stars, { id: starId, place, isHidden })
    return {
      done: `${star.name} is number ${place} of ${stars.length}${isHidden ? ', hidden' : ''}.`,
      log: { before: { place: index + 1, isHidden: star.isHidden }, after: { place, isHidden } },
    }
  },
})

export const retireStarAct = defineAct({
  name: 'preset retire',
  right,
  help: 'takes a star that was added out of the offer for good; selfies keep its name',
  button: 'Retire',
  warning:
    'This is for good: its id is given to no other star. To hide it for a while, use the list.',
  fields: { id: idField, reason: reasonField },
  schema: z.object({ id, reason: reasonSchema }),
  async run({ database }, { id: starId }) {
    return (await retireStar(database, starId))
      ? { done: `'${starId}' is retired. Selfies with it keep its name.` }
      : { refused: 'There is no such star of your own.' }
  },
})
