import { useState } from 'react'
import { call } from '../api/call.ts'
import { useErrorSentence } from '../ui/error-sentence.ts'
import { formatMessage } from '@starside/contract/fill.ts'
import { useLanguage, useMessages } from '../ui/language.tsx'
import { confirmOrder, findOrder, saveOrder } from './order-store.ts'

/** Takes the credits that an underpaid order is worth, instead of paying the rest. */
export function CreditWorth({ orderId, credits }: { orderId: string; credits: number }) {
  const { language } = useLanguage()
  const m = useMessages('dashboard')
  const sentenceOf = useErrorSentence()
  const [working, setWorking] = useState(false)
  const [error, setError] = useState<string | null>(null)
  const take = async (): Promise<void> => {
    if (working) return
    setWorking(true)
    setError(null)
    try {
      const { data } = await call('POST /api/orders/credit-worth', { body: { orderId } })
      const stored = findOrder(orderId)
      if (stored) saveOrder({ ...stored, credits: data.credits })
      confirmOrder(orderId, data.completedAt ?? new Date().toISOString())
    } catch (failure) {
      setError(sentenceOf(failure, m.purchaseFailed))
    }
    setWorking(false)
  }
  return (
    <>
      <p className="mt-2">{formatMessage(m.creditWorthNote, { credits }, language)}</p>
      <button
        type="button"
        className="button mt-2"
        aria-disabled={working}
        onClick={() => void take()}
      >
        {formatMessage(m.creditWorth, { credits }, language)}
      </button>
      {error ? <p role="alert">{error}</p> : null}
    </>
  )
}
