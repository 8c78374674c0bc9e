import { useState } from 'react'
import { pages } from '@starside/contract/pages.ts'
import { call } from '../api/call.ts'
import { useAuth } from '../auth/auth-context.ts'
import { FormDialog } from '../ui/form-dialog.tsx'
import { useMessages } from '../ui/language.tsx'

/** Asks whoever agreed to earlier terms for the new ones: at each visit until they have agreed. */
export function NewTerms({ version }: { version: string }) {
  const m = useMessages('dashboard')
  const { updateUser } = useAuth()
  const [isPutOff, setPutOff] = useState(false)
  const agree = async (): Promise<void> => {
    await call('POST /api/user?action=accept-terms', { body: { version } })
    updateUser({ termsToAccept: null })
  }
  if (isPutOff) return null
  return (
    <FormDialog
      title={m.newTermsTitle}
      intro={m.newTermsText}
      failed={m.newTermsFailed}
      submitText={m.newTermsAgree}
      busyText={m.newTermsAgreeing}
      closeText={m.newTermsLater}
      onSubmit={agree}
      onClose={() => setPutOff(true)}
    >
      <p>
        <a href={pages.terms.path} target="_blank" rel="noopener" className="text-link">
          {m.newTermsRead}
        </a>
      </p>
    </FormDialog>
  )
}
