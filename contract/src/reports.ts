import { z } from 'zod'
import * as limits from './report-limits.ts'
import { successful } from './successful.ts'

/** `POST /api/reports`. What is missing is named by a sentence of its own (`report_incomplete`). */
export const reportInput = z.object({
  /** The picture's public link, its address or its id. */
  link: z.string().max(limits.reportLinkLengthMax),
  reason: z.enum(limits.reportReasons),
  details: z.string().max(limits.reportDetailsLengthMax).optional(),
  /** An e-mail address, a telephone number or a postal address. */
  contact: z.string().max(limits.reportContactLengthMax).optional(),
  /** The reporter's full name, typed as a signature. */
  signature: z.string().max(limits.reportSignatureLengthMax).optional(),
  behalf: z.enum(limits.reportBehalves).default('myself'),
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
