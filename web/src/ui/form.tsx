import { useState, type ReactNode, type ComponentProps } from 'react'
import { useErrorSentence } from './language.tsx'
import { keysOf } from '@starside/contract/keys-of.ts'
import { languages } from '@starside/contract/languages.ts'

/** What was typed into a form, by the name of the field; empty for one that is not there. */
export type Typed = (name: string) => string

export interface FormProps {
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
      onChange={onType}
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

export interface TextFieldProps
  extends Omit<ComponentProps<'input'>, 'id'>, Omit<FieldProps, 'children'> {
  /** Whether the form's error is about it. */
  isWrong?: boolean
}

/** Id of the sentence about what is wrong with a form. */
const formErrorId = 'form-error'

/** What tells of a control that its hint, and the form's error where that is about it, describe it. */
export function describedBy(id: string, hint: string | undefined, isWrong: boolean) {
  const ids = [isWrong ? formErrorId : null, hint ? `${id}-hint` : null].filter(Boolean)
  return { 'aria-invalid': isWrong || undefined, 'aria-describedby': ids.join(' ') || undefined }
}

/** A labelled one-line input, named by its id. */
export function TextField({ label, hint, isWrong = false, ...input }: TextFieldProps) {
  const { id } = input
  return (
    <Field id={id} label={label} hint={hint}>
      <input
        name={id}
        type="text"
        className="field"
        autoCapitalize="none"
        spellCheck={false}
        {...describedBy(id, hint, isWrong)}
        {...input}
      />
    </Field>
  )
}

/** A native select of names by their values. */
export function Select(props: ComponentProps<'select'> & { options: Record<string, string> }) {
  const { options, ...select } = props
  return (
    <select className="field" {...select}>
      {Object.entries(options).map(([value, name]) => (
        <option key={value} value={value}>
          {name}
        </option>
      ))}
    </select>
  )
}

interface ChoiceProps<Value extends string> {
  label: string
  value: Value
  /** What each value is called, in the order that they are offered in. */
  names: Record<Value, string>
  choose: (value: Value) => void
}

/** A native select. What was chosen in it before the page was hydrated counts too. */
export function Choice<Value extends string>({ label, value, names, choose }: ChoiceProps<Value>) {
  const values = keysOf(names)
  const chooseNamed = (name: string): void => {
    const chosen = values.find((one) => one === name)
    if (chosen !== undefined && chosen !== value) choose(chosen)
  }
  // React reports no change that was made before, and shows its own value at the next render.
  const chooseEarly = (select: HTMLSelectElement | null): void => {
    const option = select?.selectedOptions[0]
    if (option?.defaultSelected === false) chooseNamed(option.value)
  }
  return (
    <label className="edge-print flex items-center gap-2 text-grey">
      {label}
      <select
        ref={chooseEarly}
        className="edge-print min-h-11 max-w-full border-b border-line bg-paper py-1 pr-1 text-ink"
        value={value}
        onChange={(event) => chooseNamed(event.target.value)}
      >
        {values.map((one) => (
          <option key={one} value={one} lang={languages.find((code) => code === one)}>
            {names[one]}
          </option>
        ))}
      </select>
    </label>
  )
}

/** The red box above a form, in sight while that is scrolled; its live region is always there, so that a change is announced. */
export function FormError({ message }: { message: string | null }) {
  return (
    <div role="alert" className="sticky top-2 z-10">
      {message ? (
        <p id={formErrorId} className="error-box mt-5 bg-paper font-semibold text-danger">
          {message}
        </p>
      ) : null}
    </div>
  )
}

/** What went wrong, in a line, also on the dark ground of the film; its live region is always there. */
export function SmallError({ children }: { children: ReactNode }): ReactNode {
  return (
    <p
      role="alert"
      className="mt-2 font-semibold text-danger in-[.on-film]:mt-0 in-[.on-film]:text-safelight empty:hidden"
    >
      {children}
    </p>
  )
}

/** A line that is announced when its words change, and takes no room without any. */
export function Status({ className = '', ...status }: ComponentProps<'p'>): ReactNode {
  return <p role="status" className={`empty:hidden ${className}`} {...status} />
}

/** A green sentence beside a form: what went well, or what waits; a `status` where it comes after the page. */
export function Notice({ className = 'mt-5', ...notice }: ComponentProps<'p'>) {
  return (
    <p
      className={`border-l-[10px] border-green px-4 py-2 font-semibold text-green empty:hidden ${className}`}
      {...notice}
    />
  )
}

/**
 * One request that a person starts: whether it is under way, and its failure's sentence in the language of now,
 * `fallback` where the server gives none. `submit` does nothing meanwhile, and answers whether the work, perhaps with
 * a sentence of its own, succeeded. Buttons say so by `aria-disabled`: a disabled one would lose the focus.
 */
export function useSubmission(fallback: string) {
  const sentenceOf = useErrorSentence()
  const [busy, setBusy] = useState(false)
  const [failed, setFailed] = useState<[failure: unknown, otherwise?: string | undefined]>()
  const error = failed ? sentenceOf(failed[0], failed[1] ?? fallback) : null
  const setError = (text: string | null) => setFailed(text === null ? undefined : [null, text])
  const submit = async (work: () => Promise<unknown>, otherwise?: string): Promise<boolean> => {
    if (busy) return false
    setBusy(true)
    setFailed(undefined)
    try {
      await work()
      return true
    } catch (failure) {
      setFailed([failure, otherwise])
      return false
    } finally {
      setBusy(false)
    }
  }
  return { busy, error, setError, submit }
}
