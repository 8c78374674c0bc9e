/** Business constants, limits (specification, section 9). No schema library: browsers load this. */

/** Credits granted at registration. */
export const signupCredits = 1
/** Credits that one generation costs. */
export const generationPriceCredits = 1
export const defaultConsumeAmount = 1
export const defaultConsumeDescription = 'Photo generation'
/** What stands for the name of the star of a photo of one's own, which has none. */
export const customCelebrity = 'Custom photo'
/** Heads in one picture at most: the person's own, their company's, and the stars'. */
export const headsMax = 4
/** Variations that one credit buys at most, and as many others once. */
export const variationsMax = 6
/** Adjusted versions that are kept of one picture at most. */
export const adjustmentsMax = 24
/** Stars in one picture at most. */
export const starsMax = 2
/** How several stars are named in one text, as in `Elena Vassandri and Henrik Solmark`. */
export function joinCelebrities(names: readonly string[]): string {
  return names.join(' and ')
}
/** Why a generation's credit is spent, in the words of the specification (section 4). */
export function generationReason(celebrity: string): string {
  return `${defaultConsumeDescription} with ${celebrity}`
}
/** The celebrity of a `generationReason`; undefined for any other text. */
export function readGenerationReason(reason: string): string | undefined {
  return new RegExp(`^${generationReason('(.+)')}$`, 's').exec(reason)?.[1]
}
/** The most credits one consume-credits call may hold. */
export const consumeAmountMax = 100

export const passwordLengthMin = 6
export const passwordLengthMax = 256
export const usernameLengthMin = 3
export const usernameLengthMax = 40
export const emailLengthMax = 254
export const referralCodeLengthMax = 32
/** Characters of a voucher code at most, with whatever somebody types between its groups. */
export const voucherCodeLengthMax = 60

/** Bytes of one uploaded photo at most. */
export const uploadBytesMax = 15 * 1024 * 1024
/** Characters of the optional prompt at most. */
export const promptLengthMax = 300

export const paymentTimeoutMs = 30 * 60_000
export const statusPollIntervalMs = 10_000
export const statusChecksMax = 180
export const generatedImageLifetimeMs = 30 * 60_000
export const reloadAfterPaymentMs = 2_000
export const copiedStateMs = 2_000
export const shareNoticeMs = 3_000
export const refreshAfterFailureMs = 1_000
export const landingRedirectDelayMs = 2_000

/** How long a hold keeps credits aside before they come back by themselves. */
export const holdLifetimeMs = 15 * 60_000
/** How long a signed picture address stays valid. */
export const pictureUrlLifetimeMs = 60 * 60_000
/** How long a deleted picture can be brought back. */
export const deletionUndoMs = 30_000
