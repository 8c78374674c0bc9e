import { copiedStateMs } from '@starside/contract/limits.ts'
import { useAlert } from './alerts.tsx'
import { useMessages } from './language.tsx'
import { useNotice } from './use-notice.ts'

/** Copies a text: `copied` says so for a while; where the browser bars it, an alert shows the text, marked. */
export function useCopying(): { copied: string | null; copy: (text: string) => Promise<void> } {
  const m = useMessages('dashboard')
  const alert = useAlert()
  const [copied, showCopied] = useNotice(copiedStateMs)
  const copy = async (text: string): Promise<void> => {
    try {
      await navigator.clipboard.writeText(text)
      return showCopied(m.copied)
    } catch {
      // By hand then.
    }
    const mark = (part: HTMLElement | null) => part && getSelection()?.selectAllChildren(part)
    const content = (
      <p ref={(part) => void mark(part)} className="mt-3 font-mono text-sm break-all">
        {text}
      </p>
    )
    alert(m.copyByHand, 'note', { content })
  }
  return { copied, copy }
}
