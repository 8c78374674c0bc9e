import { useEffect, useEffectEvent } from 'react'
import { pages } from '@starside/contract/pages.ts'
import { useAuth } from '../auth/auth-context.ts'
import { carriedReferralCode, registrationPath } from '../referrals/carry-referral.ts'
import { useLocation, useNavigate } from '../ui/router.tsx'
import { rememberVoucherCode, voucherCodeOf } from '../vouchers/carry-voucher.ts'

/**
 * Keeps the voucher code of a link and leads on to where it is redeemed: the dashboard, or
 * registering on the way to it. The code leaves the address, which is shared and kept.
 */
export function useCarriedVoucher(): void {
  const { search } = useLocation()
  const { sessionChecked, isAuthenticated } = useAuth()
  const navigate = useNavigate()
  const code = voucherCodeOf(search)
  const carry = useEffectEvent((found: string): void => {
    rememberVoucherCode(found)
    const to = isAuthenticated
      ? pages.dashboard.path
      : registrationPath(carriedReferralCode(search))
    navigate(to, { replace: true })
  })
  useEffect(() => {
    if (sessionChecked && code !== null) carry(code)
  }, [code, sessionChecked])
}
