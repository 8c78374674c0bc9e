import type { Check } from './check.ts'
import * as database from './check-database.ts'
import * as images from './check-images.ts'
import * as machine from './check-machine.ts'
import * as outside from './check-outside.ts'
import * as shop from './check-shop.ts'
import { finding } from './check.ts'

/** Everything that is looked at, in the order in which it is shown. */
export const checks: readonly Check[] = [
  { name: 'Port', beforeStart: async ({ config }) => [await machine.checkPort(config)] },
  {
    name: 'Machine',
    beforeStart: async ({ config }) => [
      machine.checkDisk(await machine.readDisk(config)),
      ...machine.checkMemory(config),
    ],
  },
  { name: 'Database', beforeStart: database.findDatabaseFaults },
  { name: 'Store', beforeStart: async ({ config }) => [await outside.checkStore(config)] },
  {
    name: 'Address',
    beforeStart: outside.checkPublicUrl,
    whileRunning: outside.checkAddressForPeople,
  },
  { name: 'Brand', whileRunning: shop.checkBrand },
  {
    name: 'Mail',
    beforeStart: async ({ config }) => [await outside.checkMail(config)],
    whileRunning: outside.checkMailForPeople,
  },
  { name: 'Payments', whileRunning: outside.checkPaymentProvider },
  {
    name: 'Callbacks',
    beforeStart: outside.checkCallbacks,
    async whileRunning(parts) {
      const findings = await outside.checkCallbacks(parts)
      return findings.length > 0 ? findings : [finding('callbacksArrive')]
    },
  },
  { name: 'Image providers', whileRunning: images.checkHostedImages },
  { name: 'Image models', whileRunning: images.checkRetiringModels },
  { name: 'Picture filter', beforeStart: images.checkFilter, whileRunning: images.checkFilter },
  {
    name: 'Likeness',
    beforeStart: ({ config }) => machine.checkLikeness(config),
    whileRunning: shop.checkKeptLikeness,
  },
  { name: 'AI label', beforeStart: shop.checkAiLabel, whileRunning: shop.checkAiLabel },
  { name: 'Legal notice', whileRunning: shop.checkImprint },
  { name: 'Terms', whileRunning: (parts) => shop.checkLegalPage(parts, 'terms') },
  { name: 'Privacy', whileRunning: (parts) => shop.checkLegalPage(parts, 'privacy') },
  { name: 'Stars', whileRunning: shop.checkStars },
  { name: 'Reports', whileRunning: shop.checkReports },
  { name: 'Operators', whileRunning: shop.checkOperators },
  { name: 'Backup', whileRunning: shop.checkBackup },
  { name: 'Clock', whileRunning: database.checkClockOf },
]
