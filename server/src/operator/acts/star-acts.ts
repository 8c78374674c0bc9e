import { uploadBytesMax } from '@starside/contract/limits.ts'
import { z } from 'zod'
import { addStar, admitStarPicture } from '../../stars/add-star.ts'
import {
  editStar,
  findStar,
  placeStar,
  publishStar,
  retireStar,
  retryStar,
} from '../../stars/edit-stars.ts'
import { aboutStar, starPositionMax, starRules } from '../../stars/star-rules.ts'
import { defineAct, fieldsToChange, reasonSchema } from '../act.ts'
import { checkFields, wholeNumber } from '../check-fields.ts'

const id = z.string('Say which star.').min(1, 'Say which star.').max(40)
const unknownStar = { refused: 'There is no such star.' }
export const addStarAct = defineAct('preset add', {
  fileBytesMax: uploadBytesMax,
  schema: starRules,
  look: async (parts, { picture }) => picture && admitStarPicture(parts, picture),
  async run(parts, rules, { picture }) {
    const star = { ...rules, picture: picture!, createdBy: parts.operatorName }
    const added = await addStar(parts, star)
    return {
      done: `${rules.name} ('${added}') is added. Check the samples, then publish.`,
      to: `/admin/presets/${added}`,
      log: { subject: added, after: rules },
    }
  },
})

export const editStarAct = defineAct('preset edit', {
  moreFields: fieldsToChange(addStarAct, ['picture', 'ai_generated']),
  schema: z.looseObject({ id }),
  async run({ database }, { id: starId, ...given }) {
    const star = await findStar(database, starId)
    if (star === undefined) return unknownStar
    const before = aboutStar(star)
    const ai_generated = star.ai_generated ? 'on' : undefined
    const checked = checkFields(starRules, { ...before, ...given, ai_generated })
    if ('refused' in checked) return checked
    const { input: after } = checked
    if (!(await editStar(database, { id: starId, ...after }))) return unknownStar
    return { done: `${after.name} is changed.`, log: { before, after } }
  },
})

export const publishStarAct = defineAct('preset publish', {
  schema: z.object({ id }),
  async run({ database }, { id: starId }) {
    const offered = await publishStar(database, starId)
    if (offered) return { done: `${offered.name} is offered now.` }
    // Whoever types both commands one after the other comes before the star is cut out.
    const star = await findStar(database, starId)
    return star?.state === 'cutting'
      ? { refused: `${star.name} is still being cut out. Try again in a moment.` }
      : { refused: 'There is no such draft.' }
  },
})

export const retryStarAct = defineAct('preset retry', {
  fileBytesMax: uploadBytesMax,
  schema: z.object({ id }),
  async run(parts, { id: starId }, { picture }) {
    const star = await findStar(parts.database, starId)
    if (star?.state === 'failed' && picture) await admitStarPicture(parts, picture, star)
    const retried = await retryStar(parts, starId)
    return retried
      ? { done: `${retried.name} is being cut out again.` }
      : { refused: 'No such star has failed.' }
  },
})

export const placeStarAct = defineAct('preset place', {
  schema: z.object({
    id,
    position: wholeNumber.pipe(z.number().min(1).max(starPositionMax)),
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
      done: `${star.name} is ${isHidden ? 'hidden' : `number ${place} of ${stars.length}`}.`,
      log: { before: { place: index + 1, isHidden: star.isHidden }, after: { place, isHidden } },
    }
  },
})

export const retireStarAct = defineAct('preset retire', {
  schema: z.object({ id, reason: reasonSchema }),
  async run({ database }, { id: starId }) {
    const star = await retireStar(database, starId)
    return star
      ? { done: `${star.name} is retired. Selfies keep the name.` }
      : { refused: 'There is no such star of your own.' }
  },
})
