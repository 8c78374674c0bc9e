import { createContext, use, useCallback, useState, type ReactNode } from 'react'
import { Dialog, DialogTitle } from './dialog.tsx'
import { useMessages } from './language.tsx'
import { MainButton } from './button.tsx'

type ShowAlert = (message: string, tone: keyof typeof bars, details?: AlertDetails) => void

/** What an alert says above and below its message, and on its button in place of 'OK'. */
type AlertDetails = { heading?: string; content?: ReactNode; button?: string }

const bars = { success: 'border-green', failure: 'border-danger', note: 'border-amber' }

const AlertContext = createContext<ShowAlert | null>(null)

/** Shows alerts one after the other as accessible dialogs in the page. */
export function AlertProvider({ children }: { children: ReactNode }) {
  const m = useMessages('shell')
  const [queue, setQueue] = useState<readonly Parameters<ShowAlert>[]>([])
  const [message = '', tone = 'note', { heading, content, button } = {}] = queue[0] ?? []
  const show = useCallback<ShowAlert>((...alert) => {
    setQueue((waiting) =>
      waiting.some(([other]) => other === alert[0]) ? waiting : [...waiting, alert],
    )
  }, [])
  return (
    <AlertContext value={show}>
      {children}
      {queue.length > 0 ? (
        <Dialog
          key={message}
          role="alertdialog"
          lightDismiss={false}
          className="max-w-md"
          onClose={() => setQueue((waiting) => waiting.slice(1))}
        >
          <div className={`border-t-[10px] p-6 ${bars[tone]}`}>
            {heading ? <h2 className="display narrow mb-3 text-4xl">{heading}</h2> : null}
            <DialogTitle as="p" className="text-lg font-semibold break-words">
              {message}
            </DialogTitle>
            {content}
            <form method="dialog" className="mt-6">
              <MainButton type="submit" className="min-w-28">
                {button ?? m.ok}
              </MainButton>
            </form>
          </div>
        </Dialog>
      ) : null}
    </AlertContext>
  )
}

/** The way to show an alert. Throws outside of `AlertProvider`. */
export function useAlert(): ShowAlert {
  const show = use(AlertContext)
  if (!show) throw new Error('useAlert must be used within an AlertProvider')
  return show
}
