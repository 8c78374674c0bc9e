import { z } from 'zod'
import { voucherCodeLengthMax } from './limits.ts'
import { successful } from './successful.ts'

/** A code as somebody typed it; what it may look like is the server's to judge. */
export const redeemVoucherInput = z.object({ code: z.string().max(voucherCodeLengthMax) })

export const redeemVoucherAnswer = successful({
  /** Credits that came with the code. */
  credits: z.number().int(),
  creditsBalance: z.number().int(),
})
