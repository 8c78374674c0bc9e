import { z } from 'zod'
import {
  reportBehalves,
  reportContactLengthMax,
  reportDetailsLengthMax,
  reportLinkLengthMax,
  reportReasons,
  reportSignatureLengthMax,
} from './report-limits.ts'
import { successful } from './successful.ts'

/** `POST /api/reports`. What is missing is named by a sentence of its own (`report_incomplete`). */
export const reportInput = z.object({
  /** The picture's public link, its address or its id. */
  link: z.string().max(reportLinkLengthMax),
  reason: z.enum(reportReasons),
  details: z.string().max(reportDetailsLengthMax).optional(),
  /** An e-mail address, a telephone number or a postal address. */
  contact: z.string().max(reportContactLengthMax).optional(),
  /** The reporter's full name, typed as a signature. */
  signature: z.string().max(reportSignatureLengthMax).optional(),
  behalf: z.enum(reportBehalves).default('myself'),
  /** The statement that what is said is true to the best of the reporter's knowledge. */
  goodFaith: z.boolean().optional(),
})
export type ReportInput = z.infer<typeof reportInput>

export const reportAnswer = successful({
  reportId: z.string(),
  /** ISO time until which it is decided. */
  dueAt: z.string(),
})
export type ReportAnswer = z.infer<typeof reportAnswer>
