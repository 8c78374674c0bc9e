import { z } from 'zod'
import type { ActField } from '../act.ts'

/** Why an operator does something; it stands in the log. */
export const reasonSchema = z.string('Please say why.').trim().min(1, 'Please say why.').max(500)

/** The same as a field. */
export const reasonField: ActField = { label: 'Reason', isRequired: true, lengthMax: 500 }
