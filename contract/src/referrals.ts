/** The referral link of a user (specification, section 2): `{origin}/?ref={referralCode}`. */
export function referralLink(origin: string, referralCode: string): string {
  return `${origin}/?ref=${encodeURIComponent(referralCode)}`
}
