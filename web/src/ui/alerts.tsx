import { createContext, use, useCallback, useId, useState, type ReactNode } from 'react'
import { Dialog } from './dialog.tsx'
import { useMessages } from './language.tsx'

type AlertTone = 'success' | 'failure' | 'note'
type ShowAlert = (message: string, tone: AlertTone, details?: AlertDetails) => void

/** What an alert says below its message, and on its button in place of 'OK'. */
interface AlertDetails {
  content: ReactNode
  button: string
}

interface Alert {
  message: string
  tone: AlertTone
  details: AlertDetails | undefined
}

const bars: Record<AlertTone, string> = {
  success: 'border-green',
  failure: 'border-red',
  note: 'border-amber',
}

const AlertContext = createContext<ShowAlert | null>(null)

/** Shows alerts one after the other as accessible dialogs in the page. */
export function AlertProvider({ children }: { children: ReactNode }) {
  const m = useMessages('shell')
  const [queue, setQueue] = useState<readonly Alert[]>([])
  const id = useId()
  const first = queue[0]
  const show = useCallback<ShowAlert>((message, tone, details) => {
    setQueue((waiting) =>
      waiting.some((other) => other.message === message)
        ? waiting
        : [...waiting, { message, tone, details }],
    )
  }, [])
  return (
    <AlertContext value={show}>
      {children}
      <Dialog
        key={first?.message ?? ''}
        open={first !== undefined}
        role="alertdialog"
        labelledBy={id}
        lightDismiss={false}
        className="max-w-md"
        onClose={() => setQueue((waiting) => waiting.slice(1))}
      >
        <div className={`border-t-[10px] p-6 ${bars[first?.tone ?? 'note']}`}>
          <p id={id} className="text-lg font-semibold break-words">
            {first?.message}
          </p>
          {first?.details?.content}
          <form method="dialog" className="mt-6">
            <button type="submit" className="button button-main min-w-28">
              {first?.details?.button ?? m.ok}
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
