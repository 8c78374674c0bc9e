import { useMessages } from '../ui/language.tsx'

/** How many selfies there are, with the way to them. */
export function HistoryCard({ selfiesCreated }: { selfiesCreated: number }) {
  const m = useMessages('dashboard')
  return (
    <section aria-labelledby="history-card" className="figure-card">
      <h2 id="history-card">{m.generationHistory}</h2>
      <p className="display narrow figure">{selfiesCreated}</p>
      <p className="text-grey">{m.selfiesCreated}</p>
      <a
        href="#selfies"
        className="figure-links text-link inline-flex min-h-11 items-center font-semibold"
      >
        {m.seeSelfies}
      </a>
    </section>
  )
}
