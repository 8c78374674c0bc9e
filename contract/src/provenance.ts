import { z } from 'zod'
import { successful } from './successful.ts'

/** How a picture was recognised, the surest first. */
export const recognitions = ['mark', 'fingerprint', 'metadata'] as const

/** Answer of `POST /api/verify` (multipart, one file `picture`). */
export const verifyAnswer = successful({
  /**
   * `made_here`: its invisible mark or the picture itself is known here. `claims_to_be`: only its metadata say
   * so, which anybody can write. `unknown`: nothing says so, which is no proof that it wasn't.
   */
  verdict: z.enum(['made_here', 'claims_to_be', 'unknown']),
  recognisedBy: z.array(z.enum(recognitions)),
  /** ISO date of the day it was made, where that is known. */
  madeOn: z.string().nullable(),
  /** True when the picture was removed after a report. */
  removed: z.boolean(),
  /** What the file's own metadata say, where they say it. */
  metadata: z.object({
    digitalSourceType: z.string().nullable(),
    system: z.string().nullable(),
    systemVersion: z.string().nullable(),
    /** True when the file carries a signed C2PA manifest; whether it is valid is not judged. */
    contentCredentials: z.boolean(),
  }),
})
export type VerifyAnswer = z.infer<typeof verifyAnswer>
