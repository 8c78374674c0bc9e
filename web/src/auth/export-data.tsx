import { failureOf, send } from '../api/call.ts'
import { useMessages } from '../ui/language.tsx'
import { saveBlob } from '../ui/save-blob.ts'
import { useSubmission } from '../ui/use-submission.ts'

/** Everything that is held about the user, as one file. */
export function ExportData() {
  const m = useMessages('dashboard')
  const { busy, error, submit } = useSubmission(m.requestFailed)
  const download = (): Promise<boolean> =>
    submit(async () => {
      const response = await send('GET /api/user?action=export', { query: { format: 'zip' } })
      if (!response.ok) throw await failureOf(response)
      const blob = await response.blob()
      const ending = blob.type.includes('zip') ? 'zip' : 'json'
      saveBlob(blob, `my-data.${ending}`)
    })
  return (
    <section aria-labelledby="export" className="rule pt-3">
      <h3 id="export" className="text-2xl font-bold">
        {m.exportTitle}
      </h3>
      <p className="mt-3 max-w-md text-grey">{m.exportText}</p>
      <button
        type="button"
        className="button mt-4"
        aria-disabled={busy}
        onClick={() => void download()}
      >
        {busy ? m.exporting : m.exportButton}
      </button>
      <p role="alert" className="mt-2 font-semibold text-red empty:hidden">
        {error}
      </p>
    </section>
  )
}
