import { useState } from 'react'
import { reportHours } from '@starside/contract/report-limits.ts'
import type { ReportAnswer } from '@starside/contract/reports.ts'
import { call } from '../api/call.ts'
import { dateTimeText } from '../ui/date-text.ts'
import { fill, formatMessage } from '@starside/contract/fill.ts'
import { FormDialog } from '../ui/form-dialog.tsx'
import { useLanguage, useMessages } from '../ui/language.tsx'
import { useSubmission } from '../ui/use-submission.ts'
import { ReportFields, type ReportDraft } from './report-fields.tsx'

/** The form with which anybody reports a picture. `reported` is the id in the address, if any. */
export function ReportDialog({ reported, onClose }: { reported: string; onClose: () => void }) {
  const { language } = useLanguage()
  const m = useMessages('trust')
  const { busy, error, submit } = useSubmission(m.requestFailed)
  const [answer, setAnswer] = useState<ReportAnswer | null>(null)
  const [draft, setDraft] = useState<ReportDraft>(() => ({
    link: linkOf(reported),
    reason: 'depicts_me',
    details: '',
    contact: '',
    behalf: 'myself',
    signature: '',
    goodFaith: false,
  }))
  const send = (): Promise<boolean> =>
    submit(async () => setAnswer(await call('POST /api/reports', { body: draft })))
  return (
    <FormDialog
      open
      title={m.reportTitle}
      intro={formatMessage(m.reportText, { hours: reportHours }, language)}
      error={error}
      busy={busy}
      submitText={m.sendReport}
      busyText={m.sendingReport}
      closeText={m.close}
      done={answer ? <Receipt answer={answer} /> : null}
      onSubmit={send}
      onClose={onClose}
    >
      <ReportFields
        draft={draft}
        onChange={(change) => setDraft((old) => ({ ...old, ...change }))}
      />
    </FormDialog>
  )
}

/** By when a report is decided, and its number. */
function Receipt({ answer }: { answer: ReportAnswer }) {
  const m = useMessages('trust')
  const { language } = useLanguage()
  return (
    <div className="mt-4 border-l-[10px] border-green px-4 py-1">
      <p className="text-lg font-semibold">
        {fill(m.reportSent, { date: dateTimeText(answer.dueAt, language) })}
      </p>
      <p className="mt-2 break-words text-[0.95rem]">
        {fill(m.reportNumber, { id: answer.reportId })}
      </p>
    </div>
  )
}

/** A public link again of the id that the shared page's address holds; an empty field for none. */
function linkOf(reported: string): string {
  return /^[\w-]{22}$/.test(reported) ? `${location.origin}/?selfie=${reported}` : reported
}
