import { Suspense } from 'react'
import { useNavigate } from '../ui/router.tsx'
import { useBrowserSearch } from './use-browser-search.ts'
import { loadLater } from '../ui/load-later.ts'

const VerifyDialog = loadLater(
  async () => (await import('../provenance/verify-dialog.tsx')).VerifyDialog,
)
const ReportDialog = loadLater(
  async () => (await import('../reports/report-dialog.tsx')).ReportDialog,
)
const ConfirmDialog = loadLater(
  async () => (await import('../auth/confirm-dialog.tsx')).ConfirmDialog,
)

/**
 * What the landing page's address opens above it: `/?verify`, `/?report=ID`, and `/?confirm#token=…`
 * of the mail that confirms an address. Each is loaded when it is opened.
 */
export function TrustDialogs() {
  const asked = useBrowserSearch()
  const navigate = useNavigate()
  const close = (): void => {
    navigate('/', { replace: true })
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
