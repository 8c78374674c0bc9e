/** Covers the page while it is not yet known who is signed in: a reel that turns. */
export function FullScreenSpinner({ text }: { text: string }) {
  return (
    <div
      role="status"
      className="fixed inset-0 z-50 flex flex-col items-center justify-center gap-6 bg-paper text-ink"
    >
      <svg
        aria-hidden="true"
        viewBox="0 0 48 48"
        className="size-16 animate-[spin_1.6s_linear_infinite]"
      >
        <circle cx="24" cy="24" r="22" className="fill-film" />
        <circle cx="24" cy="24" r="4" className="fill-red" />
        {[0, 72, 144, 216, 288].map((angle) => (
          <circle
            key={angle}
            cx="24"
            cy="11"
            r="5"
            className="fill-hole"
            transform={`rotate(${angle} 24 24)`}
          />
        ))}
      </svg>
      <p className="edge-print text-base">{text}</p>
    </div>
  )
}
