import { createContext, use, useId, useLayoutEffect, useRef } from 'react'
import type { HTMLAttributes, ReactNode, SyntheticEvent } from 'react'
import { fadeOut } from './fade-out.ts'

interface DialogProps {
  /** Called when the person closes it: Escape, a click beside it, or the form's own button. */
  onClose: () => void
  /** Called in place of closing it by Escape or by the device's way back. */
  onEscape?: (() => void) | undefined
  role?: 'dialog' | 'alertdialog'
  className?: string
  /** False when a click beside the dialog must not close it. */
  lightDismiss?: boolean
  /** With a {@link DialogTitle} among them. */
  children: ReactNode
}

const TitleId = createContext<string | undefined>(undefined)

/** A native modal dialog, open as long as it is there: the browser keeps the focus inside and gives it back afterwards. */
export function Dialog(props: DialogProps) {
  const { onClose, onEscape = onClose, role, className = '', lightDismiss = true } = props
  const ref = useRef<HTMLDialogElement>(null)
  const titleId = useId()
  useLayoutEffect(() => {
    const dialog = ref.current!
    dialog.showModal()
    return () => fadeOut(dialog)
  }, [])
  // It closes with what the page shows, and not before it.
  const escape = (event: SyntheticEvent): void => {
    event.preventDefault()
    event.stopPropagation()
    onEscape()
  }
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions, jsx-a11y/click-events-have-key-events -- A click on itself is one on its backdrop; Escape does the same by keyboard.
    <dialog
      ref={ref}
      role={role}
      aria-labelledby={titleId}
      className={`max-h-[calc(100dvh-2rem)] w-[calc(100%-2rem)] overflow-y-auto overscroll-contain rounded-frame border-2 border-ink bg-paper p-0 text-ink ${className}`}
      onClose={({ currentTarget }) => currentTarget.open || onClose()}
      onKeyDown={(event) => {
        // Where only the close is given up, a second key closes whatever is said; a menu goes first.
        if (event.key === 'Escape' && !ref.current?.querySelector(':popover-open')) escape(event)
      }}
      onCancel={escape}
      onClick={(event) => {
        if (lightDismiss && event.target === event.currentTarget) onClose()
      }}
    >
      <TitleId value={titleId}>{props.children}</TitleId>
    </dialog>
  )
}

/** What names the dialog around it. */
export function DialogTitle(props: HTMLAttributes<HTMLElement> & { as?: 'h3' | 'p' }): ReactNode {
  const { as: Element = 'h2', className = 'display narrow text-4xl', ...title } = props
  return <Element id={use(TitleId)} className={className} {...title} />
}
