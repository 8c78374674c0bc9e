import { z } from 'zod'

/** Why an operator does something; it stands in the log. */
export const reasonField = z.string().trim().min(1, 'Please say why.').max(500)
