import { useId, useState } from 'react'
import {
  reportContactLengthMax,
  reportDetailsLengthMax,
  reportHours,
  reportLinkLengthMax,
  reportReasons,
  type ReportReason,
} from '@starside/contract/report-limits.ts'
import type { ReportAnswer } from '@starside/contract/reports.ts'
import { call } from '../api/call.ts'
import { FormError } from '../auth/form-error.tsx'
import { dateTimeText } from '../ui/date-text.ts'
import { Dialog } from '../ui/dialog.tsx'
import { useErrorSentence } from '../ui/error-sentence.ts'
import { fill } from '../ui/fill.ts'
import { useLanguage, useMessages } from '../ui/language.tsx'
import { TextField } from '../ui/text-field.tsx'

/** The form with which anybody reports a picture. `reported` is the id in the address, if any. */
export function ReportDialog({ reported, onClose }: { reported: string; onClose: () => void }) {
  const m = useMessages('trust')
  const { language } = useLanguage()
  const sentenceOf = useErrorSentence()
  const id = useId()
  const [link, setLink] = useState(() => linkOf(reported))
  const [reason, setReason] = useState<ReportReason>('depicts_me')
  const [details, setDetails] = useState('')
  const [contact, setContact] = useState('')
  const [goodFaith, setGoodFaith] = useState(false)
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<string | null>(null)
  const [answer, setAnswer] = useState<ReportAnswer | null>(null)

  const send = async (): Promise<void> => {
    if (busy) return
    setBusy(true)
    setError(null)
    try {
      const body = { link, reason, details, contact, goodFaith }
      setAnswer(await call('POST /api/reports', { body }))
    } catch (failure) {
      setError(sentenceOf(failure, m.requestFailed))
    }
    setBusy(false)
  }
  return (
    <Dialog open onClose={onClose} labelledBy={id} lightDismiss={false} className="max-w-xl">
      <div className="p-6">
        <h2 id={id} className="display narrow text-4xl">
          {m.reportTitle}
        </h2>
        <div role="status">
          {answer ? (
            <div className="mt-4 border-l-[10px] border-green px-4 py-1">
              <p className="text-lg font-semibold">
                {fill(m.reportSent, { date: dateTimeText(answer.dueAt, language) })}
              </p>
              <p className="mt-2 break-words text-[0.95rem]">
                {fill(m.reportNumber, { id: answer.reportId })}
              </p>
            </div>
          ) : null}
        </div>
        {answer ? (
          <button type="button" className="button mt-6" onClick={onClose}>
            {m.close}
          </button>
        ) : (
          <>
            <p className="mt-3">{fill(m.reportText, { hours: reportHours })}</p>
            <FormError message={error} />
            <form
              noValidate
              className="mt-5 grid gap-5"
              onSubmit={(event) => {
                event.preventDefault()
                void send()
              }}
            >
              <TextField
                id="report-link"
                label={m.reportLink}
                autoComplete="off"
                required
                maxLength={reportLinkLengthMax}
                value={link}
                onChange={setLink}
              />
              <div>
                <label htmlFor="report-reason" className="mb-1 block font-semibold">
                  {m.reportReason}
                </label>
                <select
                  id="report-reason"
                  className="field"
                  value={reason}
                  onChange={(event) => {
                    const chosen = reportReasons.find((each) => each === event.target.value)
                    if (chosen) setReason(chosen)
                  }}
                >
                  {reportReasons.map((each) => (
                    <option key={each} value={each}>
                      {m[`reason_${each}`]}
                    </option>
                  ))}
                </select>
              </div>
              <div>
                <label htmlFor="report-details" className="mb-1 block font-semibold">
                  {m.reportDetails}
                </label>
                <textarea
                  id="report-details"
                  className="field min-h-24"
                  rows={3}
                  maxLength={reportDetailsLengthMax}
                  value={details}
                  onChange={(event) => setDetails(event.target.value)}
                />
              </div>
              <TextField
                id="report-contact"
                label={m.reportContact}
                autoComplete="email"
                required
                maxLength={reportContactLengthMax}
                value={contact}
                onChange={setContact}
              />
              <label className="flex cursor-pointer gap-3">
                <input
                  type="checkbox"
                  className="mt-1 size-6 shrink-0 accent-red"
                  checked={goodFaith}
                  onChange={(event) => setGoodFaith(event.target.checked)}
                />
                <span>{m.goodFaith}</span>
              </label>
              <div className="flex flex-wrap gap-2">
                <button type="submit" className="button button-main" disabled={busy}>
                  {busy ? m.sendingReport : m.sendReport}
                </button>
                <button type="button" className="button" onClick={onClose}>
                  {m.close}
                </button>
              </div>
            </form>
          </>
        )}
      </div>
    </Dialog>
  )
}

/** A public link again of the id that the shared page's address holds; an empty field for none. */
function linkOf(reported: string): string {
  return /^[\w-]{22}$/.test(reported) ? `${location.origin}/?selfie=${reported}` : reported
}
