import { useId, type ReactNode } from 'react'
import { Dialog } from './dialog.tsx'
import { Form, type Typed, FormError } from './form.tsx'

interface FormDialogProps {
  open: boolean
  title: string
  intro: ReactNode
  error: string | null
  busy: boolean
  submitText: string
  busyText: string
  closeText: string
  /** True for what cannot be undone: a red bar on top. */
  danger?: boolean
  /** Shown in the place of the form once it was sent. */
  done?: ReactNode
  onType?: () => void
  onSubmit: (typed: Typed) => unknown
  onClose: () => void
  children: ReactNode
}

/** A dialog with one form; a click beside it does not lose what was filled in. */
export function FormDialog(props: FormDialogProps) {
  const { title, done = null, busy, onClose } = props
  const id = useId()
  return (
    <Dialog
      open={props.open}
      onClose={onClose}
      labelledBy={id}
      lightDismiss={false}
      className="max-w-xl"
    >
      <div className={`p-6 ${props.danger ? 'border-t-[10px] border-red' : ''}`}>
        <h2 id={id} className="display narrow text-4xl">
          {title}
        </h2>
        <div role="status">{done}</div>
        {done ? (
          <button ref={takeFocus} type="button" className="button mt-6" onClick={onClose}>
            {props.closeText}
          </button>
        ) : (
          <>
            <p className="mt-3">{props.intro}</p>
            <FormError message={props.error} />
            <Form
              noValidate
              className="mt-5 grid gap-5"
              onType={props.onType}
              onSubmit={props.onSubmit}
            >
              {props.children}
              <div className="flex flex-wrap gap-2">
                <button type="submit" className="button button-main" aria-disabled={busy}>
                  {busy ? props.busyText : props.submitText}
                </button>
                <button type="button" className="button" onClick={onClose}>
                  {props.closeText}
                </button>
              </div>
            </Form>
          </>
        )}
      </div>
    </Dialog>
  )
}

/** What had the focus went with the form. */
function takeFocus(button: HTMLButtonElement | null): void {
  button?.focus()
}
