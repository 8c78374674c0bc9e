import { z } from 'zod'
import { generationAnswer } from '../generation.ts'
import { arrangementBody, chosenBody, previewAnswer, previewBody } from '../variations.ts'
import { declareRoutes, files, json, jsonBody, success } from './declare-routes.ts'

const generation = json('GenerationAnswer', generationAnswer)
const opening = ['generation_unknown', 'layers_expired', 'layers_unreadable'] as const
const adjusting = [...opening, 'arrangement_unfit'] as const

/** The variations of a picture: for its one credit. */
export const variationRoutes = declareRoutes({
  'POST /api/generations/:generationId/variations': {
    summary: 'Makes an arrangement at full size and keeps it. Costs no credit.',
    access: 'guest',
    limit: 'adjust',
    body: jsonBody('ArrangementBody', arrangementBody),
    answers: { 200: generation },
    errors: [...adjusting, 'variations_too_many', 'variation_refused', 'caption_refused'],
  },
  'POST /api/generations/:generationId/variations/more': {
    summary: 'Makes other variations, as many as are good, once for each picture.',
    access: 'guest',
    limit: 'adjust',
    answers: { 200: generation },
    errors: [...opening, 'more_variations_made'],
  },
  'POST /api/generations/:generationId/preview': {
    summary: 'Shows an arrangement, and its small parts to be moved; keeps nothing of it.',
    access: 'guest',
    limit: 'preview',
    body: jsonBody('PreviewBody', previewBody),
    answers: { 200: json('PreviewAnswer', previewAnswer) },
    errors: [...adjusting, 'caption_refused'],
  },
  'PUT /api/generations/:generationId/chosen': {
    summary: 'Shows the picture as one of its variations, made at full size if it was not.',
    access: 'guest',
    limit: 'adjust',
    body: jsonBody('ChosenBody', chosenBody),
    answers: { 200: generation },
    errors: ['generation_unknown', 'variation_unknown', 'variation_refused'],
  },
  'DELETE /api/generations/:generationId/variations/:variationId': {
    summary: 'Deletes a variation; for half a minute it can be brought back. The chosen one stays.',
    access: 'guest',
    answers: { 200: generation },
    errors: ['generation_unknown', 'variation_unknown', 'variation_chosen'],
  },
  'POST /api/generations/:generationId/variations/:variationId/restore': {
    summary: 'Brings a deleted variation back.',
    access: 'guest',
    answers: { 200: generation },
    errors: ['generation_unknown', 'variation_unknown'],
  },
  'DELETE /api/generations/:generationId/layers': {
    summary: 'Deletes the parts of a picture at once; its pictures stay.',
    access: 'guest',
    answers: { 200: success },
    errors: ['generation_unknown'],
  },
  'GET /api/pictures/:generationId/variations/:variationId/:file': {
    summary: 'A variation’s picture by its signed address, for an hour.',
    access: 'anybody',
    query: z.object({ expires: z.string().optional(), signature: z.string().optional() }),
    answers: { 200: files('image/jpeg', 'image/png') },
    errors: ['generation_unknown', 'picture_expired'],
  },
})
