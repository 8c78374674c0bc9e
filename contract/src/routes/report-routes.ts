import { z } from 'zod'
import { verifyAnswer } from '../provenance.ts'
import { reportAnswer, reportInput } from '../reports.ts'
import { declareRoutes, formBody, json, jsonBody } from './declare-routes.ts'
import { photoErrors } from './photo-errors.ts'

/** Whether a picture was made here. */
export const verificationRoutes = declareRoutes({
  'POST /api/verify': {
    summary: 'Tells whether a picture was made here. Anybody may ask; nothing is kept.',
    access: 'anybody',
    limit: 'verify',
    body: formBody('VerifyForm', z.object({ picture: z.string() }), ['picture']),
    answers: { 200: json('VerifyAnswer', verifyAnswer) },
    errors: photoErrors.filter((code) => code !== 'photos_required'),
  },
})

/** Pictures that somebody wants to be taken down. */
export const reportRoutes = declareRoutes({
  'POST /api/reports': {
    summary: 'Reports a picture; it is decided within 48 hours. Anybody may.',
    access: 'anybody',
    limit: 'report',
    body: jsonBody('ReportInput', reportInput),
    answers: { 201: json('ReportAnswer', reportAnswer) },
    errors: ['report_link_unknown', 'report_incomplete'],
  },
})
