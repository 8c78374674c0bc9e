import {
  consumeCreditsAnswer,
  consumeCreditsInput,
  creditHistoryAnswer,
  releaseHoldAnswer,
  releaseHoldInput,
} from '../credits.ts'
import { declareRoutes, json, jsonBody } from './declare-routes.ts'
import { pageQuery } from './page-query.ts'

/** The person’s books. */
export const creditRoutes = declareRoutes({
  'GET /api/user?action=credit-history': {
    summary: 'The account’s books, newest first, in pages.',
    access: 'user',
    query: pageQuery,
    answers: { 200: json('CreditHistoryAnswer', creditHistoryAnswer) },
  },
  'POST /api/user?action=consume-credits': {
    summary: 'Sets credits aside for a picture for 15 minutes; what is not used comes back.',
    access: 'user',
    limit: 'consume-credits',
    repeatable: true,
    body: jsonBody('ConsumeCreditsInput', consumeCreditsInput),
    answers: { 200: json('ConsumeCreditsAnswer', consumeCreditsAnswer) },
    errors: ['amount_invalid', 'insufficient_credits', 'idempotency_conflict', 'hold_returned'],
  },
  'POST /api/user?action=release-hold': {
    summary: 'Gives back credits that are held and that no picture has claimed yet.',
    access: 'user',
    limit: 'consume-credits',
    body: jsonBody('ReleaseHoldInput', releaseHoldInput),
    answers: { 200: json('ReleaseHoldAnswer', releaseHoldAnswer) },
  },
})
