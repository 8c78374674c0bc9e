import type { ReactNode } from 'react'

interface FieldProps {
  /** Id of the control inside; its hint, where there is one, is `{id}-hint`. */
  id: string
  label: string
  hint?: string | undefined
  children: ReactNode
}

/** A control with its label above and its hint below. */
export function Field({ id, label, hint, children }: FieldProps) {
  return (
    <div>
      <label htmlFor={id} className="mb-1 block font-semibold">
        {label}
      </label>
      {children}
      {hint ? (
        <p id={`${id}-hint`} className="mt-1 text-sm text-grey">
          {hint}
        </p>
      ) : null}
    </div>
  )
}
