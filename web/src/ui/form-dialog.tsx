import type { ReactNode } from 'react'
import { Dialog, DialogTitle } from './dialog.tsx'
import { Form, FormError, useSubmission, type FormProps, type Typed } from './form.tsx'
import { Button, MainButton } from './button.tsx'

interface FormDialogProps extends Pick<FormProps, 'children'> {
  title: string
  intro: ReactNode
  /** What is said where it fails and the server gives no sentence. */
  failed: string
  submitText: string
  busyText: string
  closeText: string
  /** True for what cannot be undone: a red bar on top. */
  danger?: boolean
  /** Shown in the place of the form once it was sent. */
  done?: ReactNode
  onSubmit: (typed: Typed) => Promise<void>
  onClose: () => void
}

/** A dialog with one form; a click beside it does not lose what was filled in. */
export function FormDialog(props: FormDialogProps) {
  const { done = null, onClose, onSubmit } = props
  const { busy, error, setError, submit } = useSubmission(props.failed)
  return (
    <Dialog onClose={onClose} lightDismiss={false} className="max-w-xl">
      <div className={`p-6 ${props.danger ? 'border-t-[10px] border-danger' : ''}`}>
        <DialogTitle>{props.title}</DialogTitle>
        <div role="status">{done}</div>
        {done ? (
          // oxlint-disable-next-line jsx-a11y/no-autofocus -- What had the focus went with the form.
          <Button autoFocus className="mt-6" onClick={onClose}>
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
              onSubmit={(typed) => submit(() => onSubmit(typed))}
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
