import { writeCsv } from '../../platform/http/csv.ts'
import type { CreatedVouchers } from './create-vouchers.ts'
import type { VoucherRules } from './voucher-rules.ts'

/** The link that redeems a code once its finder is signed in. */
export function voucherLink(publicUrl: string, code: string): string {
  return `${publicUrl.replace(/\/$/, '')}/?voucher=${encodeURIComponent(code)}`
}

/** A batch as CSV, to be handed out: number, code, link and what it is worth. */
export function voucherSheet(
  { codes }: CreatedVouchers,
  { credits, startsAt, endsAt }: Pick<VoucherRules, 'credits' | 'startsAt' | 'endsAt'>,
  publicUrl: string,
): string {
  const day = (date: Date | undefined) => date?.toISOString().slice(0, 16).replace('T', ' ') ?? ''
  return writeCsv([
    ['number', 'code', 'link', 'credits', 'valid from (UTC)', 'valid until (UTC)'],
    ...codes.map((code, index) => [
      index + 1,
      code,
      voucherLink(publicUrl, code),
      credits,
      day(startsAt),
      day(endsAt),
    ]),
  ])
}
