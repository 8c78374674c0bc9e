import {
  reportBehalves,
  reportContactLengthMax,
  reportDetailsLengthMax,
  reportLinkLengthMax,
  reportReasons,
  reportSignatureLengthMax,
} from '@starside/contract/report-limits.ts'
import { useMessages } from '../ui/language.tsx'
import { Field, TextField } from '../ui/form.tsx'

/**
 * The fields of a report.
 * @param link of the picture that it is about; empty while unknown
 */
export function ReportFields({ link }: { link: string }) {
  const m = useMessages('trust')
  return (
    <>
      <TextField
        id="report-link"
        label={m.reportLink}
        autoComplete="off"
        required
        maxLength={reportLinkLengthMax}
        defaultValue={link}
      />
      <Field id="report-reason" label={m.reportReason}>
        <select id="report-reason" name="report-reason" className="field">
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
          name="report-details"
          rows={3}
          className="field resize-y"
          maxLength={reportDetailsLengthMax}
        />
      </Field>
      <TextField
        id="report-contact"
        label={m.reportContact}
        autoComplete="email"
        required
        maxLength={reportContactLengthMax}
      />
      <Field id="report-behalf" label={m.reportBehalf}>
        <select id="report-behalf" name="report-behalf" className="field">
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
      />
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
