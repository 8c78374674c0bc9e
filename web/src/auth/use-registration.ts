import { useState } from 'react'
import { storageKeys } from '@starside/contract/api.ts'
import { useMessages } from '../ui/language.tsx'
import { useAuth } from './auth-context.ts'
import { findRegistrationFault, type RegistrationFault } from './validate-registration.ts'

const empty = { username: '', email: '', password: '', confirmPassword: '' }

/** What is typed into the registration form, what is wrong with it, and sending it. */
export function useRegistration(urlCode: string | null) {
  const m = useMessages('auth')
  const { register, isLoading, error, clearError } = useAuth()
  const [fields, setFields] = useState({ ...empty, referralCode: urlCode ?? '' })
  const [codeRejected, setCodeRejected] = useState(false)
  const [fault, setFault] = useState<RegistrationFault | null>(null)
  const faultTexts: Record<RegistrationFault, string> = {
    fields_required: m.fieldsRequired,
    passwords_differ: m.passwordsDiffer,
    password_too_short: m.passwordTooShort,
    username_too_short: m.usernameTooShort,
  }
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
    /** Takes over what was typed into one field; an error goes away with it. */
    type: (name: keyof typeof fields) => (value: string) => {
      setFields((old) => ({ ...old, [name]: value }))
      setFault(null)
      clearError()
    },
    fault,
    error: fault ? faultTexts[fault] : error,
    codeRejected,
    isLoading,
    clearError,
    submit,
  }
}
