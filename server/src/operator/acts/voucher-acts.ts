import { creditsText } from '@starside/contract/fill.ts'
import { z } from 'zod'
import { isUuid } from '../../platform/db/uuid.ts'
import { createKeyedDigest } from '../../platform/secrets/keyed-digest.ts'
import {
  createVouchers,
  voucherSheet,
  voidBatch,
  voidCode,
} from '../../ledger/vouchers/voucher-batches.ts'
import { voucherRules } from '../../ledger/vouchers/voucher-rules.ts'
import { defineAct, reasonSchema } from '../act.ts'
import { seeMarkedFields } from '../check-fields.ts'
import { counted } from '../tables.ts'

export const createVouchersAct = defineAct('voucher create', {
  schema: voucherRules,
  async run(parts, rules) {
    const { database, clock, randomBytes, operatorName: createdBy, config } = parts
    if (rules.endsAt !== undefined && rules.endsAt <= clock()) {
      return { refused: seeMarkedFields, problems: { to: 'This day is over.' } }
    }
    const keys = await parts.keys()
    const made = await createVouchers(
      { database, clock, randomBytes, keys },
      { ...rules, createdBy },
    )
    const count = made.codes.length
    return {
      done: `${counted('{count, plural, one {# code} other {# codes, each}}', count)} for ${creditsText(rules.credits)}.`,
      shownOnce: {
        text: voucherSheet(made, rules, config.publicUrl),
        note: counted(
          'Save {count, plural, one {it} other {them}} before you leave: no page shows codes again.',
          count,
        ),
        file: { name: 'vouchers.csv', codes: made.codes },
      },
      log: { subject: made.batchId, after: rules },
    }
  },
})

export const voidVouchers = defineAct('voucher void', {
  schema: z.object({ id: z.string('Say which.').max(60), reason: reasonSchema }),
  async run(parts, { id }) {
    const { database, clock } = parts
    const isBatch = isUuid(id)
    const digest = createKeyedDigest((await parts.keys()).vouchers)
    const isDone = isBatch
      ? await voidBatch(database, { batchId: id, now: clock() })
      : await voidCode(database, { code: id, now: clock(), digest })
    if (!isDone) return { refused: 'There is no such valid voucher.' }
    return { done: isBatch ? 'The batch is void.' : 'The code is void.' }
  },
})
