import type { Check } from './check.ts'
import { checkClockOf, findDatabaseFaults } from './check-database.ts'
import { checkFilter, checkHostedImages, checkRetiringModels } from './check-images.ts'
import { checkDisk, checkLikeness, checkMemory, checkPort, readDisk } from './check-machine.ts'
import {
  checkAddressForPeople,
  checkCallbacks,
  checkMail,
  checkMailForPeople,
  checkPaymentProvider,
  checkPublicUrl,
  checkStore,
} from './check-outside.ts'
import {
  checkAiLabel,
  checkBackup,
  checkBrand,
  checkKeptLikeness,
  checkLegalPage,
  checkOperators,
  checkReports,
  checkStars,
} from './check-shop.ts'
import { ok } from './check.ts'

/** Everything that is looked at, in the order in which it is shown. */
export const checks: readonly Check[] = [
  { name: 'Port', beforeStart: async ({ config }) => [await checkPort(config)] },
  {
    name: 'Machine',
    beforeStart: async ({ config }) => [checkDisk(await readDisk(config)), ...checkMemory(config)],
  },
  { name: 'Database', beforeStart: findDatabaseFaults },
  { name: 'Store', beforeStart: async ({ config }) => [await checkStore(config)] },
  { name: 'Address', beforeStart: checkPublicUrl, whileRunning: checkAddressForPeople },
  { name: 'Brand', whileRunning: checkBrand },
  {
    name: 'Mail',
    beforeStart: async ({ config }) => [await checkMail(config)],
    whileRunning: checkMailForPeople,
  },
  { name: 'Payments', whileRunning: checkPaymentProvider },
  {
    name: 'Callbacks',
    beforeStart: checkCallbacks,
    async whileRunning(parts) {
      const findings = await checkCallbacks(parts)
      return findings.length > 0 ? findings : [ok('They come to the public address, as above.')]
    },
  },
  { name: 'Image providers', whileRunning: checkHostedImages },
  { name: 'Image models', whileRunning: checkRetiringModels },
  { name: 'Picture filter', beforeStart: checkFilter, whileRunning: checkFilter },
  {
    name: 'Likeness',
    beforeStart: ({ config }) => checkLikeness(config),
    whileRunning: checkKeptLikeness,
  },
  { name: 'AI label', beforeStart: checkAiLabel, whileRunning: checkAiLabel },
  { name: 'Terms', whileRunning: (parts) => checkLegalPage(parts, 'terms') },
  { name: 'Privacy', whileRunning: (parts) => checkLegalPage(parts, 'privacy') },
  { name: 'Stars', whileRunning: checkStars },
  { name: 'Reports', whileRunning: checkReports },
  { name: 'Operators', whileRunning: checkOperators },
  { name: 'Backup', whileRunning: checkBackup },
  { name: 'Clock', whileRunning: checkClockOf },
]
