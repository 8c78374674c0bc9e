import { useSyncExternalStore } from 'react'
import { useLocation } from '../ui/router.tsx'

/** The address's query; none while a prerendered page is hydrated, which was rendered without. */
export function useBrowserSearch(): URLSearchParams {
  const { search } = useLocation()
  const parameters = useSyncExternalStore(
    noChange,
    () => search,
    () => '',
  )
  return new URLSearchParams(parameters)
}

function noChange(): () => void {
  return () => undefined
}
