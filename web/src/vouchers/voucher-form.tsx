import { useState } from 'react'
import { useQueryClient } from '@tanstack/react-query'
import { FoldButton } from '../ui/button.tsx'
import { useMessages } from '../ui/language.tsx'
import { carriedVoucherCode } from './carry-voucher.ts'
import { loadPart } from '../ui/load-later.tsx'
import { LoadingMore } from '../ui/query-state.tsx'

const RedeemForm = loadPart(() => import('./redeem-form.tsx'), 'RedeemForm', <LoadingMore />)

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
        <FoldButton
          className="text-link min-h-11 font-semibold hover:text-ink"
          unfolded={isUnfolded}
          controls="voucher-form"
          onClick={() => {
            setUnfolded(!isUnfolded)
            setWasUnfolded(true)
          }}
        >
          {m.voucherTitle}
        </FoldButton>
      </h2>
      <div id="voucher-form" hidden={!isUnfolded}>
        {wasUnfolded ? (
          <RedeemForm
            onRedeem={() => void queryClient.invalidateQueries({ queryKey: ['credit-history'] })}
          />
        ) : null}
      </div>
    </section>
  )
}
