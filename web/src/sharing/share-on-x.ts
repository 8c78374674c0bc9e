import { shareIntentUrl } from '@starside/contract/sharing.ts'
import { currentBrand } from '../ui/brand.ts'

type ShareOutcome = 'opened' | 'copied' | 'failed'

/**
 * Opens X's share window with the text and link filled in. Must be called straight from a click,
 * before anything is awaited, or browsers block the window. Where it is blocked, the text is
 * copied instead. The window gets no way back to this page; `noopener` would hide whether it opened.
 */
export async function shareOnX(text: string, link: string): Promise<ShareOutcome> {
  try {
    const address = shareIntentUrl(text, link, currentBrand()?.shareTags ?? [])
    const opened = window.open(address, '_blank', 'popup,width=640,height=560')
    if (opened) {
      opened.opener = null
      return 'opened'
    }
    // Missing on hosts without TLS, which then counts as a failed copy.
    await navigator.clipboard.writeText(`${text} ${link}`)
    return 'copied'
  } catch {
    return 'failed'
  }
}
