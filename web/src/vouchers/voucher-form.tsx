import { useState } from 'react'
import { FoldButton } from '../ui/button.tsx'
import { useMessages } from '../ui/language.tsx'
import { carriedCode } from '../ui/carried-code.ts'
import { loadPart } from '../ui/load-later.tsx'
import { LoadingMore } from '../ui/query-state.tsx'

const RedeemForm = loadPart(() => import('./redeem-form.tsx'), 'RedeemForm', <LoadingMore />)

/** A small form for a voucher code; unfolded from the start where a link brought one. */
export function VoucherForm() {
  // Null before it was ever unfolded; what was typed stays when it is folded again.
  const [isUnfolded, setUnfolded] = useState<boolean | null>(carriedCode('voucher') ? true : null)
  return (
    <section aria-labelledby="voucher" className="page-width">
      <h2 id="voucher">
        <FoldButton
          className="text-link min-h-11 font-semibold hover:text-ink"
          unfolded={isUnfolded === true}
          aria-controls="voucher-form"
          onClick={() => setUnfolded(!isUnfolded)}
        >
          {useMessages('dashboard').voucherTitle}
        </FoldButton>
      </h2>
      <div id="voucher-form" hidden={!isUnfolded}>
        {isUnfolded === null ? null : <RedeemForm />}
      </div>
    </section>
  )
}
