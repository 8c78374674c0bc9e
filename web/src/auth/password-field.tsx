import { useState } from 'react'
import { useMessages } from '../ui/language.tsx'
import { Field } from '../ui/form.tsx'

interface PasswordFieldProps {
  id: string
  label: string
  autoComplete: 'current-password' | 'new-password'
  hint?: string
  required?: boolean
}

/** A password input with a button that shows what was typed. */
export function PasswordField(props: PasswordFieldProps) {
  const m = useMessages('auth')
  const [shown, setShown] = useState(false)
  return (
    <Field id={props.id} label={props.label} hint={props.hint}>
      <div className="relative">
        <input
          id={props.id}
          name={props.id}
          type={shown ? 'text' : 'password'}
          className="field pr-14"
          autoComplete={props.autoComplete}
          required={props.required ?? false}
          aria-describedby={props.hint ? `${props.id}-hint` : undefined}
        />
        <button
          type="button"
          className="absolute inset-y-0 right-0 grid w-12 place-items-center"
          aria-label={shown ? m.hidePassword : m.showPassword}
          aria-pressed={shown}
          onClick={() => setShown(!shown)}
        >
          <svg
            aria-hidden="true"
            viewBox="0 0 24 24"
            className="size-5 fill-none stroke-current stroke-2"
          >
            <path d="M2 12s4-6.500 10-6.500S22 12 22 12s-4 6.500-10 6.500S2 12 2 12Z" />
            <circle cx="12" cy="12" r="2.800" />
            {shown ? null : <path d="M4 20 20 4" />}
          </svg>
        </button>
      </div>
    </Field>
  )
}
