import type { ReactNode } from 'react'
import { Dialog, DialogTitle } from './dialog.tsx'
import { Form, FormError, type FormProps, type useSubmission } from './form.tsx'
import { Button, MainButton } from './button.tsx'

interface FormDialogProps extends Pick<FormProps, 'onSubmit' | 'children'> {
  title: string
  intro: ReactNode
  submission: Omit<ReturnType<typeof useSubmission>, 'submit'>
  submitText: string
  busyText: string
  closeText: string
  /** True for what cannot be undone: a red bar on top. */
  danger?: boolean
  /** Shown in the place of the form once it was sent. */
  done?: ReactNode
  onClose: () => void
}

/** A dialog with one form; a click beside it does not lose what was filled in. */
export function FormDialog(props: FormDialogProps) {
  const { done = null, onClose, onSubmit } = props
  const { busy, error, setError } = props.submission
  return (
    <Dialog onClose={onClose} lightDismiss={false} className="max-w-xl">
      <div className={`p-6 ${props.danger ? 'border-t-[10px] border-danger' : ''}`}>
        <DialogTitle>{props.title}</DialogTitle>
        <div role="status">{done}</div>
        {done ? (
          <Button ref={takeFocus} className="mt-6" onClick={onClose}>
            {props.closeText}
          </Button>
        ) : (
          <>
            <p className="mt-3">{props.intro}</p>
            <FormError message={error} />
            <Form
              noValidate
              className="mt-5 grid gap-4"
              onType={() => setError(null)}
              onSubmit={onSubmit}
            >
              {props.children}
              <div className="flex flex-wrap gap-2">
                <MainButton type="submit" aria-disabled={busy}>
                  {busy ? props.busyText : props.submitText}
                </MainButton>
                <Button onClick={onClose}>{props.closeText}</Button>
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
