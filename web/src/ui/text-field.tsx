import type { ComponentProps } from 'react'
import { Field } from './field.tsx'

interface TextFieldProps extends ComponentProps<'input'> {
  id: string
  label: string
  hint?: string
}

/** A labelled one-line input, named by its id. */
export function TextField({ label, hint, ...input }: TextFieldProps) {
  const { id } = input
  return (
    <Field id={id} label={label} hint={hint}>
      <input
        name={id}
        type="text"
        className="field"
        autoCapitalize="none"
        spellCheck={false}
        aria-describedby={hint ? `${id}-hint` : undefined}
        {...input}
      />
    </Field>
  )
}
