import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { useNavigate } from '../ui/router.tsx'
import { landingRedirectDelayMs } from '@starside/contract/limits.ts'
import { useAuth } from '../auth/auth-context.ts'
import { carriedReferralCode, registrationPath } from '../referrals/carry-referral.ts'
import { useMessages } from '../ui/language.tsx'

/**
 * The landing page's main button: on to the dashboard when signed in, else 'Processing Magic...'
 * for two seconds and then the registration form, with the referral code that came along. A press
 * before the page was hydrated, which the page's own script has marked, counts too.
 */
export function MainButton() {
  const m = useMessages('shell')
  const { isAuthenticated } = useAuth()
  const navigate = useNavigate()
  const [processing, setProcessing] = useState(false)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const button = useRef<HTMLButtonElement>(null)

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
  const pressEarly = useEffectEvent(() => {
    if (button.current?.dataset['pressed'] !== undefined) onClick()
  })
  useEffect(() => {
    pressEarly()
    return () => clearTimeout(timer.current)
  }, [])
  const idleText = isAuthenticated ? m.startCreating : m.tryNow
  return (
    <button
      ref={button}
      type="button"
      data-keeps-press=""
      className="button button-main min-h-14 px-7 text-lg"
      aria-disabled={processing}
      aria-live="polite"
      onClick={processing ? undefined : onClick}
    >
      {processing ? m.processingMagic : idleText}
    </button>
  )
}
