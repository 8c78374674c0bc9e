import { useEffect, useId, useState } from 'react'
import { call } from '../api/call.ts'
import { Dialog } from '../ui/dialog.tsx'
import { useErrorSentence } from '../ui/error-sentence.ts'
import { useMessages } from '../ui/language.tsx'
import { FormError } from '../ui/form.tsx'

/** Every token is sent once, however often the dialog is mounted. */
const confirmations = new Map<string, Promise<unknown>>()

/** Confirms the e-mail of the link that was opened: `/?confirm#token=…`. */
export function ConfirmDialog({ onClose }: { onClose: () => void }) {
  const m = useMessages('trust')
  const sentenceOf = useErrorSentence()
  const id = useId()
  const [isDone, setIsDone] = useState(false)
  const [error, setError] = useState<string | null>(null)
  const [token] = useState(() => /token=([\w-]+)/.exec(location.hash)?.[1] ?? '')
  useEffect(() => {
    let isGone = false
    confirmOnce(token).then(
      () => {
        if (!isGone) setIsDone(true)
      },
      (failure: unknown) => {
        if (!isGone) setError(sentenceOf(failure, m.requestFailed))
      },
    )
    return () => {
      isGone = true
    }
  }, [token, sentenceOf, m])
  return (
    <Dialog open onClose={onClose} labelledBy={id} className="max-w-lg">
      <div className="p-6">
        <h2 id={id} className="display narrow text-4xl">
          {m.confirmTitle}
        </h2>
        <FormError message={error} />
        <p role="status" className="mt-4 text-lg empty:hidden">
          {error ? null : isDone ? m.confirmed : m.confirming}
        </p>
        <button type="button" className="button mt-6" onClick={onClose}>
          {m.close}
        </button>
      </div>
    </Dialog>
  )
}

function confirmOnce(token: string): Promise<unknown> {
  const known = confirmations.get(token)
  if (known) return known
  const sent = call('POST /api/auth?action=confirm-email', { body: { token } })
  confirmations.set(token, sent)
  return sent
}
