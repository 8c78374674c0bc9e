import { creditsText } from '@starside/contract/fill.ts'
import { randomBytes } from 'node:crypto'
import { parseArgs } from 'node:util'
import { isUuid } from '../db/uuid.ts'
import { createKeyedDigest } from '../secrets/keyed-digest.ts'
import { deriveKeys } from '../secrets/keys.ts'
import { readSecrets } from '../secrets/read-secrets.ts'
import { createVouchers } from '../vouchers/create-vouchers.ts'
import { listBatches } from '../vouchers/list-batches.ts'
import { voidBatch, voidCode } from '../vouchers/void-vouchers.ts'
import { voucherRules } from '../vouchers/voucher-rules.ts'
import { voucherSheet } from '../vouchers/voucher-sheet.ts'
import type { AdminCommands, AdminParts } from './admin-command.ts'
import { commandLine } from './run-logged.ts'

export const voucherCommands: AdminCommands = {
  'voucher create': {
    usage:
      '--name NAME --credits NUMBER [--codes NUMBER] [--uses NUMBER] [--per-person NUMBER]\n' +
      '      [--from DAY] [--to DAY]',
    help: 'makes codes for credits and prints them as CSV, this once',
    run: create,
  },
  'voucher list': {
    readsOnly: true,
    usage: '',
    help: 'lists the batches of vouchers and how many of them were redeemed',
    async run({ database, print }) {
      for (const batch of await listBatches(database, rowsMax)) {
        const { id, name, credits, issued, redeemed, voidedAt } = batch
        const state = voidedAt === null ? '' : '  void'
        print(`${id}  ${creditsText(credits)}  ${redeemed} of ${issued} redeemed  ${name}${state}`)
      }
      return 0
    },
  },
  'voucher void': {
    usage: 'BATCH|CODE',
    help: 'takes a batch or one code back; what was redeemed stays',
    async run(parts, [named = '']) {
      const { database, clock, print } = parts
      const digest = createKeyedDigest((await readKeys(parts)).vouchers)
      const isDone = isUuid(named)
        ? await voidBatch(database, { batchId: named, now: clock() })
        : await voidCode(database, { code: named, now: clock(), digest })
      print(isDone ? 'It is void.' : 'There is no such valid voucher.')
      return isDone ? 0 : 1
    },
  },
}

const rowsMax = 1_000

async function create(parts: AdminParts, words: string[]): Promise<number> {
  const { values } = parseArgs({
    args: words,
    options: {
      name: { type: 'string' },
      credits: { type: 'string' },
      codes: { type: 'string' },
      uses: { type: 'string' },
      'per-person': { type: 'string' },
      from: { type: 'string' },
      to: { type: 'string' },
    },
  })
  const { uses, 'per-person': perPerson, ...rest } = values
  const rules = voucherRules.safeParse({ ...rest, usesMax: uses, personUsesMax: perPerson })
  if (!rules.success) {
    for (const { path, message } of rules.error.issues) parts.print(`${path.join('.')}: ${message}`)
    return 2
  }
  const { database, clock } = parts
  const keys = await readKeys(parts)
  const made = await createVouchers(
    { database, clock, randomBytes, keys },
    { ...rules.data, createdBy: commandLine },
  )
  parts.print(voucherSheet(made, rules.data, parts.config.publicUrl).trimEnd())
  return 0
}

async function readKeys({ config, print }: AdminParts) {
  const warn = (_details: object, message: string) => print(message)
  return deriveKeys(
    await readSecrets(config.secrets, { dataFolder: config.dataFolder, randomBytes, warn }),
  )
}
