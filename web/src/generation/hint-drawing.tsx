/** A head with its shoulders, and what to do with it, in a frame of 40 by 40. */
const drawings: Record<string, string | undefined> = {
  tight_crop: 'M14 15a6 7 0 1 0 12 0a6 7 0 1 0-12 0M5 37c1-9 8-12 15-12s14 3 15 12',
  small_face: 'M9 19a11 13 0 1 0 22 0a11 13 0 1 0-22 0M7 7l-4-4m30 4l4-4M7 33l-4 4m30-4l4 4',
  turned: 'M10 19a10 12 0 1 0 20 0a10 12 0 1 0-20 0M16 17v1m8-1v1m-4 1v4m-4 4c2 2 6 2 8 0',
  bright_background:
    'M14 17a6 7 0 1 0 12 0a6 7 0 1 0-12 0M6 37c1-8 7-11 14-11s13 3 14 11M4 12l8-8M4 20L20 4m4 0h-1M30 6l6-6M32 14l6-6M4 28l7-7',
  eyes_closed: 'M4 20c8-11 24-11 32 0c-8 11-24 11-32 0M15 20a5 5 0 1 0 10 0a5 5 0 1 0-10 0',
  hair_cut:
    'M12 21a8 10 0 1 0 16 0a8 10 0 1 0-16 0M11 19c0-14 18-14 18 0M20 3v3m-9-1l2 2m16-2l-2 2',
}

/** What to do about a hint, as a small drawing beside its sentence; nothing for one without. Decorative. */
export function HintDrawing({ code }: { code: string | undefined }) {
  const path = code === undefined ? undefined : drawings[code]
  if (path === undefined) return null
  return (
    <svg
      aria-hidden="true"
      viewBox="0 0 40 40"
      className="size-10 shrink-0 border border-current"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.8"
      strokeLinecap="round"
    >
      <path d={path} />
    </svg>
  )
}
