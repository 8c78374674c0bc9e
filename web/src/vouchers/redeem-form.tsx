import { voucherCodeLengthMax } from '@starside/contract/limits.ts'
import { Form, TextField, FormError, useSubmission, Status } from '../ui/form.tsx'
import { useMessages, useLanguage } from '../ui/language.tsx'
import { useRef, useState } from 'react'
import { useQueryClient } from '@tanstack/react-query'
import { call, newIdempotencyKey, ApiError } from '../api/call.ts'
import { useAuth } from '../auth/auth-context.ts'
import { formatMessage } from '@starside/contract/fill.ts'
import { carriedCode, forgetCode } from '../ui/carried-code.ts'
import { Button } from '../ui/button.tsx'

/** The field for a voucher code, which a link may have brought. */
export function RedeemForm() {
  const queryClient = useQueryClient()
  const { language } = useLanguage()
  const m = useMessages('dashboard')
  const { updateUser } = useAuth()
  const [code, setCode] = useState(() => carriedCode('voucher') ?? '')
  const [done, setDone] = useState<string | null>(null)
  const { busy, error, setError, submit } = useSubmission(m.voucherFailed)
  // A request that nothing answered may have been carried out: asked again, it is the same one.
  const unanswered = useRef<{ code: string; key: string } | null>(null)

  const forget = (): void => {
    unanswered.current = null
    forgetCode('voucher')
  }
  const redeem = async (): Promise<void> => {
    setDone(null)
    const wanted = code.trim()
    if (wanted === '') return setError(m.voucherMissing)
    const key = unanswered.current?.code === wanted ? unanswered.current.key : newIdempotencyKey()
    unanswered.current = { code: wanted, key }
    await submit(async () => {
      try {
        const { credits, creditsBalance } = await call('POST /api/user?action=redeem-voucher', {
          body: { code: wanted },
          idempotencyKey: key,
        })
        updateUser({ creditsBalance })
        void queryClient.invalidateQueries({ queryKey: ['credit-history'] })
        setCode('')
        setDone(formatMessage(m.voucherDone, { count: credits }, language))
      } catch (failure) {
        // What nothing answered waits for the next visit; what was refused is refused again.
        if (failure instanceof ApiError && failure.fromServer) forget()
        throw failure
      }
      forget()
    })
  }
  const type = (text: string): void => {
    setCode(text)
    setError(null)
    setDone(null)
  }
  return (
    <Form noValidate className="mt-2 max-w-xl" onSubmit={redeem}>
      <div className="flex flex-wrap items-end gap-3">
        <div className="min-w-0 grow">
          <TextField
            id="voucher-code"
            label={m.voucherCode}
            value={code}
            onChange={(event) => type(event.target.value)}
            autoComplete="off"
            maxLength={voucherCodeLengthMax}
            aria-invalid={error !== null}
          />
        </div>
        <Button type="submit" aria-disabled={busy}>
          {busy ? m.voucherRedeeming : m.voucherRedeem}
        </Button>
      </div>
      <FormError message={error} />
      <Status className="mt-3 font-semibold text-green">{done}</Status>
      <p className="mt-3 text-grey">{m.voucherNote}</p>
    </Form>
  )
}
