import { useMessages } from '../ui/language.tsx'

/** How many selfies there are, with the way to them. */
export function HistoryCard({ selfiesCreated }: { selfiesCreated: number }) {
  const m = useMessages('dashboard')
  return (
    <section aria-labelledby="history-card" className="rule pt-3">
      <h2 id="history-card" className="font-semibold">
        {m.generationHistory}
      </h2>
      <div className="mt-2 flex items-end gap-4">
        <p className="display narrow text-6xl md:text-8xl">{selfiesCreated}</p>
        <p className="pb-2 leading-tight">{m.selfiesCreated}</p>
      </div>
      <p className="mt-1">
        <a href="#selfies" className="text-link inline-flex min-h-11 items-center">
          {m.seeSelfies}
        </a>
      </p>
    </section>
  )
}
