import { z } from 'zod'
import { generationAnswer } from '../generation.ts'
import { languages } from '../languages.ts'
import { declareRoutes, files, json } from './declare-routes.ts'

/** The language of the words on a card; English without it. */
const cardQuery = z.object({ lang: z.enum(languages).optional() })

/** Public links to pictures. */
export const sharingRoutes = declareRoutes({
  'POST /api/generations/:generationId/share': {
    summary: 'Gives the picture a public link, or lets its link show the version on show.',
    access: 'guest',
    limit: 'share',
    answers: { 200: json('GenerationAnswer', generationAnswer) },
    errors: ['generation_unknown'],
  },
  'DELETE /api/generations/:generationId/share': {
    summary: 'Takes the public link back.',
    access: 'guest',
    answers: { 200: json('GenerationAnswer', generationAnswer) },
    errors: ['generation_unknown'],
  },
  'GET /api/shares/:shareId/picture.jpg': {
    summary: 'The picture behind a public link.',
    access: 'anybody',
    answers: { 200: files('image/jpeg') },
    errors: ['generation_unknown'],
  },
  'GET /api/shares/:shareId/card.jpg': {
    summary: 'The card that chats show for a public link: the picture and a few words, 1200 × 630.',
    access: 'anybody',
    query: cardQuery,
    answers: { 200: files('image/jpeg') },
    errors: ['generation_unknown'],
  },
  'GET /api/card.jpg': {
    summary: 'The card that chats show for a link to this site, 1200 × 630.',
    access: 'anybody',
    query: cardQuery,
    answers: { 200: files('image/jpeg') },
    errors: ['not_found'],
  },
})
