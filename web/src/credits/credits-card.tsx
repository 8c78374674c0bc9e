import { useMessages } from '../ui/language.tsx'

/** The balance as the frame counter of a camera: a dial of ticks, and the number itself. */
export function CreditsCard({ creditsBalance }: { creditsBalance: number | null }) {
  const m = useMessages('dashboard')
  const shown = Math.min(24, creditsBalance ?? 0)
  return (
    <section aria-labelledby="credits-card" className="rule pt-3">
      <h2 id="credits-card" className="font-semibold">
        {m.availableCredits}
      </h2>
      <div className="mt-2 flex items-center gap-5">
        <p className="display narrow text-6xl md:text-8xl tabular-nums" data-testid="balance">
          {creditsBalance ?? m.creditsUnknown}
        </p>
        <svg aria-hidden="true" viewBox="-50 -50 100 100" className="size-20 shrink-0">
          <circle r="47" className="fill-film" />
          {Array.from({ length: 24 }, (_, index) => (
            <rect
              key={index}
              x="-1.400"
              y="-41"
              width="2.800"
              height={index % 6 === 0 ? 12 : 8}
              transform={`rotate(${index * 15})`}
              className={index < shown ? 'fill-amber' : 'fill-ash opacity-35'}
            />
          ))}
          <path d="M0-24 4-8H-4Z" className="fill-safelight" transform={`rotate(${shown * 15})`} />
          <circle r="6" className="fill-ash" />
        </svg>
      </div>
      <p className="mt-2 text-grey">{m.creditsNote}</p>
    </section>
  )
}
