import { z } from 'zod'
import { successAnswer } from '../auth.ts'
import {
  generateAnswer,
  generateForm,
  generateQuery,
  generationAnswer,
  generationListAnswer,
  inspectAnswer,
  inspectForm,
  prepareAnswer,
  prepareInput,
} from '../generation.ts'
import { peopleAnswer, presetsAnswer, presetsQuery } from '../presets.ts'
import { declareRoutes, files, formBody, json, jsonBody } from './declare-routes.ts'
import { pageQuery } from './page-query.ts'
import { backgroundErrors, photoErrors } from './photo-errors.ts'

const success = json('SuccessAnswer', successAnswer)

/** Stars, photos and the pictures that are made of them. */
export const pictureRoutes = declareRoutes({
  'GET /api/ai?action=presets': {
    summary: 'The stars with their licences, in pages; `q` and `category` narrow them.',
    access: 'anybody',
    query: presetsQuery,
    answers: { 200: json('PresetsAnswer', presetsAnswer) },
  },
  'GET /api/presets/:file': {
    summary: 'A star’s picture: its id with `.jpg`, `.thumbnail.avif` or `.thumbnail.jpg`.',
    access: 'anybody',
    answers: { 200: files('image/jpeg', 'image/avif') },
    errors: ['not_found'],
  },
  'GET /api/people': {
    summary: 'People who don’t exist, whose photos anybody may use to try the product.',
    access: 'anybody',
    answers: { 200: json('PeopleAnswer', peopleAnswer) },
  },
  'GET /api/people/:file': {
    summary: 'Their photo: the id with `.jpg`, `.thumbnail.avif` or `.thumbnail.jpg`.',
    access: 'anybody',
    answers: { 200: files('image/jpeg', 'image/avif') },
    errors: ['not_found'],
  },
  'POST /api/ai?action=inspect': {
    summary: 'Tells what would spoil the picture, before a credit is spent.',
    access: 'guest',
    limit: 'inspect',
    body: formBody('InspectForm', inspectForm, ['photo']),
    answers: { 200: json('InspectAnswer', inspectAnswer) },
    errors: [...photoErrors, ...backgroundErrors, 'photo_blocked', 'face_chosen_twice'],
  },
  'POST /api/ai?action=check': {
    summary: 'The same of a person’s photo, for who has no account yet. Nothing is kept of it.',
    access: 'anybody',
    limit: 'verify',
    body: formBody('InspectForm', inspectForm, ['photo']),
    answers: { 200: json('InspectAnswer', inspectAnswer) },
    errors: [...photoErrors, ...backgroundErrors, 'face_chosen_twice'],
  },
  'POST /api/ai?action=prepare': {
    summary: 'Cuts out people of photos that the account has just had inspected, for `generate`.',
    access: 'guest',
    limit: 'inspect',
    body: jsonBody('PrepareInput', prepareInput),
    answers: { 200: json('PrepareAnswer', prepareAnswer) },
    errors: ['preset_unknown'],
  },
  'POST /api/ai?action=generate': {
    summary:
      'Makes a selfie for one credit. Waits for the picture; with `Prefer: respond-async` it answers 202 at once. A failure uses no credit.',
    access: 'guest',
    limit: 'generate',
    repeatable: true,
    query: generateQuery,
    body: formBody('GenerateForm', generateForm, ['userPhoto', 'celebrityPhoto', 'background']),
    answers: {
      200: json('GenerateAnswer', generateAnswer),
      202: json('GenerationAnswer', generationAnswer, 'It is still being made.'),
    },
    errors: [
      ...photoErrors,
      'face_missing',
      'face_too_small',
      'face_cut',
      'face_profile',
      'face_tilted',
      'photo_blurred',
      'face_too_dark',
      'face_too_bright',
      'someone_between',
      'pair_too_tight',
      'story_too_tight',
      'people_too_far_apart',
      'people_too_many',
      'face_unknown',
      'face_chosen_twice',
      'star_chosen_twice',
      'two_stars_unsupported',
      ...backgroundErrors,
      'background_unsupported',
      'scene_and_background',
      'preset_unknown',
      'consent_required',
      'prompt_too_long',
      'prompt_refused',
      'photo_blocked',
      'picture_refused',
      'insufficient_credits',
      'hold_returned',
      'generation_running',
      'already_made',
      'generation_failed',
      'idempotency_conflict',
    ],
  },
  'GET /api/generations/:generationId/events': {
    summary: 'The stages of a picture as server-sent events; the last one carries the picture.',
    access: 'guest',
    answers: { 200: files('text/event-stream') },
    errors: ['generation_unknown'],
  },
  'GET /api/generations/:generationId': {
    summary: 'One picture of one’s own.',
    access: 'guest',
    answers: { 200: json('GenerationAnswer', generationAnswer) },
    errors: ['generation_unknown'],
  },
  'GET /api/generations': {
    summary: 'One’s own pictures, newest first unless asked otherwise, in pages.',
    access: 'guest',
    query: pageQuery.extend({
      star: z.string().max(200).optional(),
      order: z.enum(['newest', 'oldest']).optional(),
    }),
    answers: { 200: json('GenerationListAnswer', generationListAnswer) },
  },
  'GET /api/pictures/:generationId/:file': {
    summary: 'A picture by its signed address, as `imageUrl` and the others give it, for an hour.',
    access: 'anybody',
    query: z.object({ expires: z.string().optional(), signature: z.string().optional() }),
    answers: { 200: files('image/jpeg', 'image/png') },
    errors: ['generation_unknown', 'picture_expired'],
  },
  'DELETE /api/generations/:generationId': {
    summary: 'Deletes a picture; for half a minute it can be brought back.',
    access: 'guest',
    answers: { 200: success },
    errors: ['generation_unknown'],
  },
  'POST /api/generations/:generationId/restore': {
    summary: 'Brings a deleted picture back.',
    access: 'guest',
    answers: { 200: json('GenerationAnswer', generationAnswer) },
    errors: ['generation_unknown'],
  },
})
