import { sessionAnswer } from '../auth.ts'
import {
  eventAnswer,
  guestAnswer,
  guestWishInput,
  handOverAnswer,
  joinEventInput,
  judgeWallInput,
  keepGuestInput,
  knownGuestAnswer,
  markPrintInput,
  moderationAnswer,
  openEventInput,
  printQueueAnswer,
  takeOverInput,
  wallAnswer,
} from '../events.ts'
import { registrationErrors } from './account-routes.ts'
import { declareRoutes, files, json, jsonBody, success } from './declare-routes.ts'
import { pageQuery } from './page-query.ts'

const guest = json('GuestAnswer', guestAnswer)
const printQueue = json('PrintQueueAnswer', printQueueAnswer)

/** Events, whose guests make selfies without an account. */
export const eventRoutes = declareRoutes({
  'GET /api/events/:event': {
    summary:
      'What an event offers, whether it takes guests, and what this browser has opened of it.',
    access: 'anybody',
    answers: { 200: json('EventAnswer', eventAnswer) },
    errors: ['event_unknown'],
  },
  'GET /api/events/:event/pictures/:picture': {
    summary: 'The event’s own pictures: `background`, and `frame`, which lies over selfies.',
    access: 'anybody',
    answers: { 200: files('image/jpeg', 'image/png') },
    errors: ['event_unknown', 'not_found'],
  },
  'POST /api/events/:event/open': {
    summary:
      'Opens the kiosk, moderation, print queue or wall in this browser with the key of an operator’s link, which is used up by it.',
    access: 'anybody',
    body: jsonBody('OpenEventInput', openEventInput),
    answers: { 200: success },
    errors: ['event_unknown', 'event_link_unknown'],
  },
  'POST /api/events/:event/join': {
    summary:
      'Makes a guest, who has agreed to the words of consent, with a cookie and some selfies.',
    access: 'anybody',
    body: jsonBody('JoinEventInput', joinEventInput),
    answers: { 200: guest },
    errors: [
      'event_unknown',
      'event_upcoming',
      'event_over',
      'event_consent_outdated',
      'event_credits_used',
      'event_link_unknown',
    ],
  },
  'GET /api/events/:event/guest': {
    summary: 'The guest of this browser with their selfies, if anybody has joined in it.',
    access: 'anybody',
    answers: { 200: json('KnownGuestAnswer', knownGuestAnswer) },
    errors: ['event_unknown'],
  },
  'POST /api/events/:event/leave': {
    summary:
      'Ends the guest’s part in this browser, if there is one. What selfies were left go back to the event.',
    access: 'anybody',
    answers: { 200: success },
    errors: ['event_unknown'],
  },
  'POST /api/events/:event/hand-over': {
    summary: 'A code with which a phone goes on in the guest’s place, once and for ten minutes.',
    access: 'guest',
    answers: { 200: json('HandOverAnswer', handOverAnswer) },
    errors: ['event_unknown'],
  },
  'POST /api/events/:event/take-over': {
    summary: 'Goes on in a guest’s place with such a code.',
    access: 'anybody',
    body: jsonBody('TakeOverInput', takeOverInput),
    answers: { 200: guest },
    errors: ['event_unknown', 'hand_over_unknown', 'guest_has_selfies'],
  },
  'POST /api/events/:event/keep': {
    summary: 'Makes an account of the guest, with the selfies, and signs in.',
    access: 'guest',
    body: jsonBody('KeepGuestInput', keepGuestInput),
    answers: { 200: json('SessionAnswer', sessionAnswer) },
    errors: registrationErrors,
  },
  'PUT /api/events/:event/selfies/:generationId': {
    summary:
      'Lets a selfie hang on the wall, once a moderator approves it, or takes it down; asks for a print.',
    access: 'guest',
    body: jsonBody('GuestWishInput', guestWishInput),
    answers: { 200: guest },
    errors: ['generation_unknown', 'event_over', 'event_choice_unknown', 'prints_too_many'],
  },
  'GET /api/events/:event/wall': {
    summary:
      'The selfies that hang on the wall: allowed by their guests, approved by a moderator. For a wall’s browser.',
    access: 'anybody',
    answers: { 200: json('WallAnswer', wallAnswer) },
    errors: ['event_unknown', 'event_role_missing'],
  },
  'GET /api/events/:event/moderation': {
    summary: 'The selfies that guests would like on the wall. For a moderator’s browser.',
    access: 'anybody',
    query: pageQuery,
    answers: { 200: json('ModerationAnswer', moderationAnswer) },
    errors: ['event_unknown', 'event_role_missing'],
  },
  'PUT /api/events/:event/moderation/:generationId': {
    summary: 'Approves a selfie for the wall, hides it, or puts it back among those that wait.',
    access: 'anybody',
    body: jsonBody('JudgeWallInput', judgeWallInput),
    answers: { 200: success },
    errors: ['event_unknown', 'event_role_missing', 'generation_unknown'],
  },
  'GET /api/events/:event/prints': {
    summary: 'What is to be printed and what was. For an attendant’s browser.',
    access: 'anybody',
    answers: { 200: printQueue },
    errors: ['event_unknown', 'event_role_missing'],
  },
  'PUT /api/events/:event/prints/:printId': {
    summary: 'Marks a print as printed, or as still to be printed.',
    access: 'anybody',
    body: jsonBody('MarkPrintInput', markPrintInput),
    answers: { 200: printQueue },
    errors: ['event_unknown', 'event_role_missing', 'print_unknown'],
  },
})
