import { z } from 'zod'

/** Why a picture is reported. */
export const reportReasons = [
  'depicts_me',
  'intimate',
  'minor',
  'impersonation',
  'copyright',
  'other',
] as const
export type ReportReason = (typeof reportReasons)[number]

/** Hours within which a report is decided (as the US TAKE IT DOWN Act asks of platforms). */
export const reportHours = 48
export const reportDetailsLengthMax = 2_000
export const reportContactLengthMax = 200
export const reportLinkLengthMax = 500

/** `POST /api/reports`. What is missing is told by a sentence of its own (`report_incomplete`). */
export const reportInput = z.object({
  /** The picture's public link, its address or its id. */
  link: z.string().max(reportLinkLengthMax),
  reason: z.enum(reportReasons),
  details: z.string().max(reportDetailsLengthMax).optional(),
  /** An e-mail address, a telephone number or a postal address. */
  contact: z.string().max(reportContactLengthMax).optional(),
  /** The statement that what is said is true to the best of the reporter's knowledge. */
  goodFaith: z.boolean().optional(),
})
export type ReportInput = z.infer<typeof reportInput>

export const reportAnswer = z.object({
  success: z.literal(true),
  reportId: z.string(),
  /** ISO time until which it is decided. */
  dueAt: z.string(),
})
export type ReportAnswer = z.infer<typeof reportAnswer>
