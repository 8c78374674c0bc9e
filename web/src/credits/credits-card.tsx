import { useMessages } from '../ui/language.tsx'

/** The balance. */
export function CreditsCard({ creditsBalance }: { creditsBalance: number | null }) {
  const m = useMessages('dashboard')
  return (
    <section aria-labelledby="credits-card" className="rule pt-3">
      <h2 id="credits-card" className="font-semibold">
        {m.availableCredits}
      </h2>
      <p className="display narrow mt-2 text-6xl tabular-nums md:text-8xl" data-testid="balance">
        {creditsBalance ?? m.creditsUnknown}
      </p>
      <p className="mt-2 text-grey">{m.creditsNote}</p>
    </section>
  )
}
