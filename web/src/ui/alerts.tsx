import { createContext, use, useCallback, useId, useState, type ReactNode } from 'react'
import { Dialog } from './dialog.tsx'
import { useMessages } from './language.tsx'

type ShowAlert = (message: string) => void
const AlertContext = createContext<ShowAlert | null>(null)

/** Shows alerts one after the other as accessible dialogs in the page. */
export function AlertProvider({ children }: { children: ReactNode }) {
  const m = useMessages('shell')
  const [queue, setQueue] = useState<readonly string[]>([])
  const id = useId()
  const message = queue[0]
  const show = useCallback<ShowAlert>((text) => {
    setQueue((waiting) => (waiting.includes(text) ? waiting : [...waiting, text]))
  }, [])
  return (
    <AlertContext value={show}>
      {children}
      <Dialog
        key={message ?? ''}
        open={message !== undefined}
        role="alertdialog"
        labelledBy={id}
        lightDismiss={false}
        className="max-w-md"
        onClose={() => setQueue((waiting) => waiting.slice(1))}
      >
        <div className="border-t-[10px] border-red p-6">
          <p id={id} className="text-lg font-semibold break-words">
            {message}
          </p>
          <form method="dialog" className="mt-6">
            <button type="submit" className="button button-main min-w-28">
              {m.ok}
            </button>
          </form>
        </div>
      </Dialog>
    </AlertContext>
  )
}

/** The way to show an alert. Throws outside of `AlertProvider`. */
export function useAlert(): ShowAlert {
  const show = use(AlertContext)
  if (!show) throw new Error('useAlert must be used within an AlertProvider')
  return show
}
