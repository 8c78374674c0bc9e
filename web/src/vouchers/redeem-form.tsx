import { voucherCodeLengthMax } from '@starside/contract/limits.ts'
import { Form, TextField, FormError } from '../ui/form.tsx'
import { useMessages } from '../ui/language.tsx'
import { useRedeem } from './use-redeem.ts'

/** The field for a voucher code. */
export function RedeemForm({ onRedeem }: { onRedeem: () => void }) {
  const m = useMessages('dashboard')
  const { code, type, busy, error, done, redeem } = useRedeem(onRedeem)
  return (
    <Form noValidate className="mt-2 max-w-xl" onSubmit={() => redeem()}>
      <div className="flex flex-wrap items-end gap-3">
        <div className="min-w-0 grow">
          <TextField
            id="voucher-code"
            label={m.voucherCode}
            value={code}
            onChange={(event) => type(event.target.value)}
            autoComplete="off"
            maxLength={voucherCodeLengthMax}
            aria-invalid={error !== null}
          />
        </div>
        <button type="submit" className="button" aria-disabled={busy}>
          {busy ? m.voucherRedeeming : m.voucherRedeem}
        </button>
      </div>
      <FormError message={error} />
      <p role="status" className="mt-3 font-semibold text-green empty:hidden">
        {done}
      </p>
      <p className="mt-3 text-grey">{m.voucherNote}</p>
    </Form>
  )
}
