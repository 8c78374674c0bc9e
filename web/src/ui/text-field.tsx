import { Field } from './field.tsx'

interface TextFieldProps {
  id: string
  label: string
  value: string
  onChange: (value: string) => void
  type?: 'text' | 'email'
  autoComplete?: string
  required?: boolean
  maxLength?: number
  invalid?: boolean
  hint?: string
}

/** A labelled one-line input. */
export function TextField(props: TextFieldProps) {
  return (
    <Field id={props.id} label={props.label} hint={props.hint}>
      <input
        id={props.id}
        name={props.id}
        type={props.type ?? 'text'}
        className="field"
        value={props.value}
        autoComplete={props.autoComplete}
        autoCapitalize="none"
        spellCheck={false}
        required={props.required ?? false}
        maxLength={props.maxLength}
        aria-describedby={props.hint ? `${props.id}-hint` : undefined}
        aria-invalid={props.invalid || undefined}
        onChange={(event) => props.onChange(event.target.value)}
      />
    </Field>
  )
}
