/** The referral link of a user (specification, section 2): `{origin}/?ref={referralCode}`. */
export function referralLink(origin: string, referralCode: string): string {
  return `${origin}/?ref=${encodeURIComponent(referralCode)}`
}

/** What a referral code looks like: 8 characters without the easily confused ones. */
export const referralCodePattern = /^[A-HJ-NP-Z2-9]{8}$/
