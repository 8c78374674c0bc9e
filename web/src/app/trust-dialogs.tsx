import { lazy, Suspense, useSyncExternalStore } from 'react'
import { useLocation, useNavigate } from 'react-router'

const VerifyDialog = lazy(async () => ({
  default: (await import('../provenance/verify-dialog.tsx')).VerifyDialog,
}))
const ReportDialog = lazy(async () => ({
  default: (await import('../reports/report-dialog.tsx')).ReportDialog,
}))
const ConfirmDialog = lazy(async () => ({
  default: (await import('../auth/confirm-dialog.tsx')).ConfirmDialog,
}))

/**
 * What the landing page's address opens above it: `/?verify`, `/?report=ID`, and `/?confirm#token=…`
 * of the mail that confirms an address. Each is loaded when it is opened.
 */
export function TrustDialogs() {
  const { search } = useLocation()
  const navigate = useNavigate()
  // Nothing while hydrating, as in the prerendered page.
  const parameters = useSyncExternalStore(
    noChange,
    () => search,
    () => '',
  )
  const asked = new URLSearchParams(parameters)
  const close = (): void => {
    void navigate('/', { replace: true, preventScrollReset: true })
  }
  return (
    <Suspense fallback={null}>
      {asked.has('verify') ? <VerifyDialog onClose={close} /> : null}
      {asked.has('report') ? (
        <ReportDialog reported={asked.get('report') ?? ''} onClose={close} />
      ) : null}
      {asked.has('confirm') ? <ConfirmDialog onClose={close} /> : null}
    </Suspense>
  )
}

function noChange(): () => void {
  return () => undefined
}
