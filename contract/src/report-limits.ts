/** What a report may hold. No schema library here: browsers load this. */

/** Why a picture is reported. */
export const reportReasons = [
  'depicts_me',
  'intimate',
  'minor',
  'impersonation',
  'copyright',
  'other',
] as const

/** For whom somebody reports. */
export const reportBehalves = ['myself', 'somebody_else'] as const

/** Hours within which a report is decided (as the US TAKE IT DOWN Act asks of platforms). */
export const reportHours = 48
export const reportDetailsLengthMax = 2_000
export const reportContactLengthMax = 200
export const reportLinkLengthMax = 500
export const reportSignatureLengthMax = 120
