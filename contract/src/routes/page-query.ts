import { z } from 'zod'

/** The query of a list in pages: without a cursor the first page. */
export const pageQuery = z.object({ cursor: z.string().optional() })
