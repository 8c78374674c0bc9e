import { useState } from 'react'
import { voucherCodeLengthMax } from '@starside/contract/limits.ts'
import { FormError } from '../ui/form-error.tsx'
import { useMessages } from '../ui/language.tsx'
import { TextField } from '../ui/text-field.tsx'
import { carriedVoucherCode } from './carry-voucher.ts'
import { useRedeem } from './use-redeem.ts'

/** A small form for a voucher code; open from the start where a link brought one. */
export function VoucherForm() {
  const m = useMessages('dashboard')
  const { code, type, busy, error, done, redeem } = useRedeem()
  const [isOpen] = useState(() => carriedVoucherCode() !== null)
  return (
    <section className="mx-auto w-full max-w-[100rem] px-4 sm:px-8 lg:px-12">
      <details className="rule pt-3" open={isOpen}>
        <summary className="inline-flex min-h-11 cursor-pointer items-center font-semibold">
          {m.voucherTitle}
        </summary>
        <form
          noValidate
          className="mt-2 grid max-w-xl gap-3"
          onSubmit={(event) => {
            event.preventDefault()
            void redeem()
          }}
        >
          <div className="flex flex-wrap items-end gap-3">
            <div className="min-w-0 grow">
              <TextField
                id="voucher-code"
                label={m.voucherCode}
                value={code}
                onChange={type}
                autoComplete="off"
                maxLength={voucherCodeLengthMax}
                invalid={error !== null}
              />
            </div>
            <button type="submit" className="button" disabled={busy}>
              {busy ? m.voucherRedeeming : m.voucherRedeem}
            </button>
          </div>
          <FormError message={error} />
          <p role="status" className={done === null ? '' : 'font-semibold text-green'}>
            {done}
          </p>
          <p className="text-grey">{m.voucherNote}</p>
        </form>
      </details>
    </section>
  )
}
