import { useEffect, useRef, useState } from 'react'
import { useNavigate } from '../ui/router.tsx'
import { landingRedirectDelayMs } from '@starside/contract/limits.ts'
import { useAuth } from '../auth/auth-context.ts'
import { carriedReferralCode, registrationPath } from '../referrals/carry-referral.ts'
import { useMessages } from '../ui/language.tsx'

/**
 * The landing page's main button: on to the dashboard when signed in, else 'Processing Magic...'
 * for two seconds and then the registration form, with the referral code that came along.
 */
export function MainButton() {
  const m = useMessages('shell')
  const { isAuthenticated } = useAuth()
  const navigate = useNavigate()
  const [processing, setProcessing] = useState(false)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])

  const onClick = (): void => {
    if (isAuthenticated) {
      navigate('/dashboard')
      return
    }
    setProcessing(true)
    timer.current = setTimeout(() => {
      navigate(registrationPath(carriedReferralCode(location.search)))
    }, landingRedirectDelayMs)
  }
  const idleText = isAuthenticated ? m.startCreating : m.tryNow
  return (
    <button
      type="button"
      className="button button-main min-h-14 px-7 text-lg"
      aria-disabled={processing}
      aria-live="polite"
      onClick={processing ? undefined : onClick}
    >
      {processing ? m.processingMagic : idleText}
    </button>
  )
}
