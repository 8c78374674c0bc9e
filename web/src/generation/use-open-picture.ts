import type { GenerationItem } from '@starside/contract/generation.ts'
import { isRecord } from '../api/is-record.ts'
import { useLocation, useNavigate } from '../ui/router.tsx'

const parameter = 'selfie'
/** Told to the browser's history, so that closing goes back instead of on. */
const openedHere = { openedHere: true }

/** Which selfie is open, as the page's address says: the browser's Back closes it. */
export function useOpenPicture() {
  const { pathname, search } = useLocation()
  const navigate = useNavigate()
  const openId = new URLSearchParams(search).get(parameter)
  const addressOf = (generationId: string | null): string => {
    const query = new URLSearchParams(location.search)
    if (generationId === null) query.delete(parameter)
    else query.set(parameter, generationId)
    return query.size === 0 ? pathname : `${pathname}?${query.toString()}`
  }
  return {
    openId,
    open: (generationId: string) => navigate(addressOf(generationId), { state: openedHere }),
    /** Its neighbour in its place. The address says which is open: a fast press comes before the page does. */
    turnBy: (items: readonly GenerationItem[], step: -1 | 1) => {
      const openNow = new URLSearchParams(location.search).get(parameter)
      const at = items.findIndex(({ generationId }) => generationId === openNow)
      const next = at < 0 ? undefined : items[at + step]
      const state: unknown = history.state
      if (next) navigate(addressOf(next.generationId), { replace: true, state })
    },
    close: () => {
      if (!new URLSearchParams(location.search).has(parameter)) return
      const state: unknown = history.state
      if (isRecord(state) && state['openedHere'] === true) {
        // Going back takes a moment, in which a second press must not go farther.
        history.replaceState(null, '')
        history.back()
      } else navigate(addressOf(null), { replace: true })
    },
  }
}
