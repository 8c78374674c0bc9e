import { useState } from 'react'
import type { ReportAnswer } from '@starside/contract/reports.ts'
import { call } from '../api/call.ts'
import { fill, formatMessage } from '@starside/contract/fill.ts'
import { Field, Notice, Select, TextField, type TextFieldProps, type Typed } from '../ui/form.tsx'
import { FormDialog } from '../ui/form-dialog.tsx'
import { useLanguage, useMessages, momentText } from '../ui/language.tsx'
import { metaContent } from '../ui/meta-content.ts'
import * as limits from '@starside/contract/report-limits.ts'

/** The form with which anybody reports a picture. `reported` is the id in the address, if any. */
export function ReportDialog({ reported, onClose }: { reported: string; onClose: () => void }) {
  const { language } = useLanguage()
  const m = useMessages('trust')
  // The id that a shared page's address holds is a public link again; its picture is there where that page lies behind.
  const isShareId = /^[\w-]{22}$/.test(reported)
  const isSeen = isShareId && metaContent('og:image').includes(`/shares/${reported}/card.jpg`)
  const [answer, setAnswer] = useState<ReportAnswer | null>(null)
  return (
    <FormDialog
      title={m.reportTitle}
      intro={formatMessage(m.reportText, { hours: limits.reportHours }, language)}
      failed={m.requestFailed}
      submitText={m.sendReport}
      busyText={m.sendingReport}
      closeText={m.close}
      done={
        answer && (
          <Notice className="mt-4 break-words">
            {fill(m.reportSent, { date: momentText(answer.dueAt, language) })}{' '}
            {fill(m.reportNumber, { id: answer.reportId })}
          </Notice>
        )
      }
      onSubmit={async (typed) =>
        setAnswer(await call('POST /api/reports', { body: reportOf(typed) }))
      }
      onClose={onClose}
    >
      {isSeen && <img src={`/api/shares/${reported}/picture.jpg`} alt="" className="h-28" />}
      <ReportFields link={isShareId ? `${location.origin}/?selfie=${reported}` : reported} />
    </FormDialog>
  )
}

function reportOf(typed: Typed) {
  return {
    link: typed('report-link'),
    reason: limits.reportReasons.find((each) => each === typed('report-reason')) ?? 'depicts_me',
    details: typed('report-details'),
    contact: typed('report-contact'),
    behalf: limits.reportBehalves.find((each) => each === typed('report-behalf')) ?? 'myself',
    signature: typed('report-signature'),
    goodFaith: typed('report-good-faith') === 'on',
  }
}

/** The fields of a report; the picture's link is empty while unknown. */
function ReportFields({ link }: { link: string }) {
  const m = useMessages('trust')
  const reasons = Object.fromEntries(limits.reportReasons.map((id) => [id, m[`reason_${id}`]]))
  const behalves = Object.fromEntries(limits.reportBehalves.map((id) => [id, m[`behalf_${id}`]]))
  const text = (id: string, label: string, maxLength: number, more?: Partial<TextFieldProps>) => (
    <TextField required autoComplete="off" {...{ id, label, maxLength }} {...more} />
  )
  const choice = (id: string, label: string, options: Record<string, string>) => (
    <Field id={id} label={label}>
      <Select id={id} name={id} options={options} />
    </Field>
  )
  const email = { autoComplete: 'email' }
  return (
    <>
      {text('report-link', m.reportLink, limits.reportLinkLengthMax, { defaultValue: link })}
      {choice('report-reason', m.reportReason, reasons)}
      <Field id="report-details" label={m.reportDetails}>
        <textarea
          id="report-details"
          name="report-details"
          rows={3}
          className="field resize-y"
          maxLength={limits.reportDetailsLengthMax}
        />
      </Field>
      {text('report-contact', m.reportContact, limits.reportContactLengthMax, email)}
      {choice('report-behalf', m.reportBehalf, behalves)}
      {text('report-signature', m.reportSignature, limits.reportSignatureLengthMax, {
        autoComplete: 'name',
      })}
      <label className="flex cursor-pointer gap-3">
        <input
          type="checkbox"
          name="report-good-faith"
          className="mt-1 size-6 shrink-0 accent-red"
        />
        <span>{m.goodFaith}</span>
      </label>
    </>
  )
}
