import { promptLengthMax } from '@starside/contract/limits.ts'
import { useMessages } from '../ui/language.tsx'
import { Field } from '../ui/form.tsx'

/** A wish in words for the picture. */
export function PromptField(props: {
  prompt: string
  disabled: boolean
  onPrompt: (prompt: string) => void
}) {
  const m = useMessages('dashboard')
  return (
    <Field id="prompt" label={m.prompt}>
      <textarea
        id="prompt"
        rows={2}
        className="field resize-y"
        maxLength={promptLengthMax}
        placeholder={m.promptPlaceholder}
        value={props.prompt}
        disabled={props.disabled}
        onChange={(event) => props.onPrompt(event.target.value)}
      />
    </Field>
  )
}

/** The confirmation that a photo of somebody else needs. */
export function ConsentField(props: {
  consent: boolean
  disabled: boolean
  onConsent: (consent: boolean) => void
}) {
  const m = useMessages('dashboard')
  return (
    <div className="flex gap-3 border-l-[10px] border-amber py-1 pl-4">
      <input
        id="consent"
        aria-describedby="consent-why"
        type="checkbox"
        className="mt-1 size-6 shrink-0 accent-red"
        checked={props.consent}
        disabled={props.disabled}
        onChange={(event) => props.onConsent(event.target.checked)}
      />
      <div>
        <label htmlFor="consent" className="block cursor-pointer font-semibold">
          {m.consent}
        </label>
        <p id="consent-why" className="text-grey">
          {m.consentWhy}
        </p>
      </div>
    </div>
  )
}
