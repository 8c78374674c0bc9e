import { useMessages } from '../ui/language.tsx'

/** The balance. */
export function CreditsCard({ creditsBalance }: { creditsBalance: number | null }) {
  const m = useMessages('dashboard')
  return (
    <section aria-labelledby="credits-card" className="figure-card">
      <h2 id="credits-card">{m.availableCredits}</h2>
      <p className="display narrow figure" data-testid="balance">
        {creditsBalance ?? m.creditsUnknown}
      </p>
      <p className="text-grey">{m.creditsNote}</p>
    </section>
  )
}
