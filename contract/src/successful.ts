import { z } from 'zod'

/** The schema of an answer: its fields beside the `success: true` that every call but a failed one says. */
export function successful<const Fields extends z.core.$ZodLooseShape>(
  fields: Fields,
): z.ZodObject<{ success: z.ZodLiteral<true> } & Fields> {
  return z.object({ success: z.literal(true), ...fields })
}

/** The answer of a call that only does something. */
export const successAnswer = successful({})
