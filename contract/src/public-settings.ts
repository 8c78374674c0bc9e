import { z } from 'zod'

/** What `GET /config` tells everybody about this installation. */
export const publicSettingsAnswer = z.object({
  success: z.literal(true),
  host: z.string(),
  /** True when payments go to the sandbox gateway. */
  testMoney: z.boolean(),
  contactEmail: z.string(),
  socialUrl: z.string(),
  communityUrl: z.string(),
  referralBonusCredits: z.number().int(),
  /**
   * The services outside this installation that photos are sent to when a selfie is made, by the
   * names that people know them by. Empty: photos stay with this installation.
   */
  photoRecipients: z.array(z.string()),
})
export type PublicSettingsAnswer = z.infer<typeof publicSettingsAnswer>
