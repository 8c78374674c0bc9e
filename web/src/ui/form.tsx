import type { ReactNode } from 'react'

interface FormProps {
  /** Where it checks its fields itself, instead of the browser. */
  noValidate?: boolean
  className: string
  onSubmit: () => unknown
  children: ReactNode
}

/** A form that a script sends; the page stays. */
export function Form({ noValidate = false, className, onSubmit, children }: FormProps) {
  return (
    <form
      noValidate={noValidate}
      className={className}
      onSubmit={(event) => {
        event.preventDefault()
        onSubmit()
      }}
    >
      {children}
    </form>
  )
}
