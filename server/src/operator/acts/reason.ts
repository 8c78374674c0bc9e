import { z } from 'zod'

/** Why an operator does something; it stands in the log. */
export const reasonSchema = z.string('Please say why.').trim().min(1, 'Please say why.').max(500)
