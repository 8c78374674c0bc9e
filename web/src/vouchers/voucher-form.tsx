import { useState } from 'react'
import { voucherCodeLengthMax } from '@starside/contract/limits.ts'
import { FormError } from '../ui/form-error.tsx'
import { useMessages } from '../ui/language.tsx'
import { TextField } from '../ui/text-field.tsx'
import { carriedVoucherCode } from './carry-voucher.ts'
import { useRedeem } from './use-redeem.ts'

/** A small form for a voucher code; unfolded from the start where a link brought one. */
export function VoucherForm() {
  const m = useMessages('dashboard')
  const { code, type, busy, error, done, redeem } = useRedeem()
  const [isUnfolded, setUnfolded] = useState(() => carriedVoucherCode() !== null)
  return (
    <section
      aria-labelledby="voucher"
      className="mx-auto w-full max-w-[100rem] px-4 sm:px-8 lg:px-12"
    >
      <h2 id="voucher">
        <button
          type="button"
          className="text-link min-h-11 font-semibold hover:text-ink"
          aria-expanded={isUnfolded}
          aria-controls="voucher-form"
          onClick={() => setUnfolded(!isUnfolded)}
        >
          {m.voucherTitle}
        </button>
      </h2>
      <form
        id="voucher-form"
        hidden={!isUnfolded}
        noValidate
        className="mt-2 max-w-xl"
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
        <p role="status" className="mt-3 font-semibold text-green empty:hidden">
          {done}
        </p>
        <p className="mt-3 text-grey">{m.voucherNote}</p>
      </form>
    </section>
  )
}
