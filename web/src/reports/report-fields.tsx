import type { ChangeEvent } from 'react'
import {
  reportBehalves,
  reportContactLengthMax,
  reportDetailsLengthMax,
  reportLinkLengthMax,
  reportReasons,
  reportSignatureLengthMax,
  type ReportBehalf,
  type ReportReason,
} from '@starside/contract/report-limits.ts'
import { Field } from '../ui/field.tsx'
import { useMessages } from '../ui/language.tsx'
import { TextField } from '../ui/text-field.tsx'

/** What a report says. */
export interface ReportDraft {
  link: string
  reason: ReportReason
  details: string
  contact: string
  behalf: ReportBehalf
  signature: string
  goodFaith: boolean
}

interface ReportFieldsProps {
  draft: ReportDraft
  onChange: (change: Partial<ReportDraft>) => void
}

/** The fields of a report. */
export function ReportFields({ draft, onChange }: ReportFieldsProps) {
  const m = useMessages('trust')
  const chooseReason = (event: ChangeEvent<HTMLSelectElement>): void => {
    const reason = reportReasons.find((each) => each === event.target.value)
    if (reason) onChange({ reason })
  }
  const chooseBehalf = (event: ChangeEvent<HTMLSelectElement>): void => {
    const behalf = reportBehalves.find((each) => each === event.target.value)
    if (behalf) onChange({ behalf })
  }
  return (
    <>
      <TextField
        id="report-link"
        label={m.reportLink}
        autoComplete="off"
        required
        maxLength={reportLinkLengthMax}
        value={draft.link}
        onChange={(link) => onChange({ link })}
      />
      <Field id="report-reason" label={m.reportReason}>
        <select id="report-reason" className="field" value={draft.reason} onChange={chooseReason}>
          {reportReasons.map((each) => (
            <option key={each} value={each}>
              {m[`reason_${each}`]}
            </option>
          ))}
        </select>
      </Field>
      <Field id="report-details" label={m.reportDetails}>
        <textarea
          id="report-details"
          rows={3}
          className="field resize-y"
          maxLength={reportDetailsLengthMax}
          value={draft.details}
          onChange={(event) => onChange({ details: event.target.value })}
        />
      </Field>
      <TextField
        id="report-contact"
        label={m.reportContact}
        autoComplete="email"
        required
        maxLength={reportContactLengthMax}
        value={draft.contact}
        onChange={(contact) => onChange({ contact })}
      />
      <Field id="report-behalf" label={m.reportBehalf}>
        <select id="report-behalf" className="field" value={draft.behalf} onChange={chooseBehalf}>
          {reportBehalves.map((each) => (
            <option key={each} value={each}>
              {m[`behalf_${each}`]}
            </option>
          ))}
        </select>
      </Field>
      <TextField
        id="report-signature"
        label={m.reportSignature}
        autoComplete="name"
        required
        maxLength={reportSignatureLengthMax}
        value={draft.signature}
        onChange={(signature) => onChange({ signature })}
      />
      <label className="flex cursor-pointer gap-3">
        <input
          type="checkbox"
          className="mt-1 size-6 shrink-0 accent-red"
          checked={draft.goodFaith}
          onChange={(event) => onChange({ goodFaith: event.target.checked })}
        />
        <span>{m.goodFaith}</span>
      </label>
    </>
  )
}
