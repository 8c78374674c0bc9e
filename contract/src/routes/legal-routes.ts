import { acceptTermsInput, legalPageAnswer, legalPageQuery } from '../legal.ts'
import { declareRoutes, json, jsonBody, success } from './declare-routes.ts'

/** Terms, privacy and imprint. */
export const legalRoutes = declareRoutes({
  'GET /api/legal/:page': {
    summary: 'The published text of `terms`, `privacy` or `imprint` as a tree.',
    access: 'anybody',
    query: legalPageQuery,
    answers: { 200: json('LegalPageAnswer', legalPageAnswer) },
    errors: ['not_found'],
  },
})

/** Agreeing to terms that have changed. */
export const termsRoutes = declareRoutes({
  'POST /api/user?action=accept-terms': {
    summary:
      'Agrees to the terms of that version, which is the one that `profile` names in `termsToAccept`.',
    access: 'user',
    body: jsonBody('AcceptTermsInput', acceptTermsInput),
    answers: { 200: success },
    errors: ['terms_outdated'],
  },
})
