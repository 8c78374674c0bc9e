import { inEveryLanguage } from '@starside/contract/languages.ts'
import type { PublicSettingsAnswer } from '@starside/contract/public-settings.ts'
import { basic, premium } from '../../orders/testing/test-packages.ts'

/** What an installation publishes about itself, for tests. */
export const testSettings: PublicSettingsAnswer = {
  success: true,
  brand: {
    name: 'Selfie',
    line: inEveryLanguage(() => ''),
    logo: null,
    shareText: inEveryLanguage(() => ''),
    shareTags: [],
  },
  packages: [{ ...basic, isPopular: true }, premium],
  markText: 'selfie.example',
  testMoney: true,
  mailsInTerminal: false,
  contactEmail: 'hello@selfie.example',
  operator: { name: '', address: '' },
  socialUrl: 'https://social.example/selfie',
  communityUrl: '',
  referralBonusCredits: 2,
  photoRecipients: [],
}
