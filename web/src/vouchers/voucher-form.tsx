import { Suspense, useState } from 'react'
import { useQueryClient } from '@tanstack/react-query'
import { FoldSign } from '../ui/fold-sign.tsx'
import { useMessages } from '../ui/language.tsx'
import { carriedVoucherCode } from './carry-voucher.ts'
import { loadLater } from '../ui/load-later.ts'

const RedeemForm = loadLater(async () => (await import('./redeem-form.tsx')).RedeemForm)

/** A small form for a voucher code; unfolded from the start where a link brought one. */
export function VoucherForm() {
  const m = useMessages('dashboard')
  const queryClient = useQueryClient()
  const [isUnfolded, setUnfolded] = useState(() => carriedVoucherCode() !== null)
  // What was typed stays when it is folded again.
  const [wasUnfolded, setWasUnfolded] = useState(isUnfolded)
  return (
    <section aria-labelledby="voucher" className="page-width">
      <h2 id="voucher">
        <button
          type="button"
          className="text-link min-h-11 font-semibold hover:text-ink"
          aria-expanded={isUnfolded}
          aria-controls="voucher-form"
          onClick={() => {
            setUnfolded(!isUnfolded)
            setWasUnfolded(true)
          }}
        >
          {m.voucherTitle}
          <FoldSign unfolded={isUnfolded} />
        </button>
      </h2>
      <div id="voucher-form" hidden={!isUnfolded}>
        {wasUnfolded ? (
          <Suspense fallback={<p className="py-4">{m.loadingMore}</p>}>
            <RedeemForm
              onRedeem={() => void queryClient.invalidateQueries({ queryKey: ['credit-history'] })}
            />
          </Suspense>
        ) : null}
      </div>
    </section>
  )
}
