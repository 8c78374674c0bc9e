import { useState } from 'react'
import { storageKeys } from '@starside/contract/api.ts'
import { useMessages } from '../ui/language.tsx'
import { useAuth } from './auth-context.ts'
import { faultSentence, findRegistrationFault } from './validate-registration.ts'
import type { RegistrationFault } from './validate-registration.ts'

const empty = { username: '', email: '', password: '', confirmPassword: '' }

/** What is typed into the registration form, what is wrong with it, and sending it. */
export function useRegistration(urlCode: string | null) {
  const m = useMessages('auth')
  const { register, isLoading, error, clearError } = useAuth()
  const [fields, setFields] = useState({ ...empty, referralCode: urlCode ?? '' })
  const [codeRejected, setCodeRejected] = useState(false)
  const [fault, setFault] = useState<RegistrationFault | null>(null)
  const submit = async (): Promise<void> => {
    if (isLoading) return
    clearError()
    const found = findRegistrationFault(fields)
    setFault(found)
    if (found) return
    const { email, password, username, referralCode } = fields
    const code = referralCode.trim() || null
    const outcome = await register({ email, password, username, referralCode: code })
    if (!outcome.success && outcome.code === 'referral_unknown') {
      setCodeRejected(true)
      sessionStorage.removeItem(storageKeys.referralCode)
    }
  }
  return {
    fields,
    /** Takes over what was typed; an error goes away with it. */
    type: (change: Partial<typeof fields>) => {
      setFields((old) => ({ ...old, ...change }))
      setFault(null)
      clearError()
    },
    fault,
    error: fault ? faultSentence(m, fault) : error,
    codeRejected,
    isLoading,
    clearError,
    submit,
  }
}
