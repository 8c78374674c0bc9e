import { useEffect } from 'react'
import { useAuth } from '../auth/auth-context.ts'
import { useAlert } from '../ui/alerts.tsx'
import { useMessages } from '../ui/language.tsx'

/** Tells somebody who has just registered, once, which credits the new account did not get. */
export function useRegistrationNotices(): void {
  const m = useMessages('dashboard')
  const alert = useAlert()
  const { user, updateUser } = useAuth()
  const notices = user?.notices
  useEffect(() => {
    if (notices === undefined || notices.length === 0) return
    for (const notice of notices) alert(m.registrationNotices[notice], 'note')
    updateUser({ notices: [] })
  }, [notices, alert, updateUser, m])
}
