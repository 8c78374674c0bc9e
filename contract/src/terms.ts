/**
 * The version of the terms that people agree to by registering, their minimum age of 18 among them.
 * A new wording gets a new version; it is stored with the account and the time.
 */
export const termsVersion = '2026-11'
