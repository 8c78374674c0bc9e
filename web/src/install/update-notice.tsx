import { useState } from 'react'
import { useMessages } from '../ui/language.tsx'

import { useWaitingVersion } from './use-waiting-version.ts'

/** Says that a newer version of the app is there, and loads it when asked to. */
export function UpdateNotice() {
  const m = useMessages('dashboard')
  const activate = useWaitingVersion()
  const [isLater, setLater] = useState(false)
  return (
    <div role="status" className="fixed inset-x-0 top-0 z-40">
      {activate && !isLater ? (
        <div className="flex flex-wrap items-center justify-center gap-x-4 gap-y-2 border-b-2 border-ink bg-paper px-4 py-2">
          <p className="font-semibold">{m.newVersion}</p>
          <div className="flex gap-2">
            <button type="button" className="button button-main" onClick={activate}>
              {m.loadVersion}
            </button>
            <button type="button" className="button" onClick={() => setLater(true)}>
              {m.notNow}
            </button>
          </div>
        </div>
      ) : null}
    </div>
  )
}
