import type { ReactNode } from 'react'

/** What was typed into a form, by the name of the field; empty for one that is not there. */
export type Typed = (name: string) => string

interface FormProps {
  /** Where it checks its fields itself, instead of the browser. */
  noValidate?: boolean
  className: string
  /** Called when anything is typed, as a sentence about what stood there before is over then. */
  onType?: (() => void) | undefined
  onSubmit: (typed: Typed, form: HTMLFormElement) => unknown
  children: ReactNode
}

/** A form that a script sends; the page stays, and the fields keep what was typed themselves. */
export function Form({ onType, onSubmit, ...form }: FormProps) {
  return (
    <form
      {...form}
      onInput={onType}
      onSubmit={(event) => {
        event.preventDefault()
        const data = new FormData(event.currentTarget)
        const typed: Typed = (name) => {
          const value = data.get(name)
          return typeof value === 'string' ? value : ''
        }
        onSubmit(typed, event.currentTarget)
      }}
    />
  )
}
