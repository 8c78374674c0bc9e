import { useEffect, useEffectEvent, useState } from 'react'
import { call } from '../api/call.ts'
import { Dialog, DialogTitle } from '../ui/dialog.tsx'
import { useMessages } from '../ui/language.tsx'
import { FormError, useSubmission, Status } from '../ui/form.tsx'
import { Button } from '../ui/button.tsx'

/** Every token is sent once, however often the dialog is mounted. */
const confirmations = new Map<string, Promise<unknown>>()

/** Confirms the e-mail of the link that was opened: `/?confirm#token=…`. */
export function ConfirmDialog({ onClose }: { onClose: () => void }) {
  const m = useMessages('trust')
  const [isDone, setIsDone] = useState(false)
  const { error, submit } = useSubmission(m.requestFailed)
  const confirm = useEffectEvent(async () => {
    const token = /token=([\w-]+)/.exec(location.hash)?.[1] ?? ''
    const path = 'POST /api/auth?action=confirm-email'
    const sent = confirmations.get(token) ?? call(path, { body: { token } })
    confirmations.set(token, sent)
    setIsDone(await submit(() => sent))
  })
  useEffect(() => queueMicrotask(() => void confirm()), [])
  return (
    <Dialog onClose={onClose} className="max-w-lg">
      <div className="p-6">
        <DialogTitle>{m.confirmTitle}</DialogTitle>
        <FormError message={error} />
        <Status className="mt-4 text-lg">
          {error ? null : isDone ? m.confirmed : m.confirming}
        </Status>
        <Button className="mt-6" onClick={onClose}>
          {m.close}
        </Button>
      </div>
    </Dialog>
  )
}
