import type { ReactNode } from 'react'

/** What has failed, on the dark ground of the film; its live region is always there. */
export function FilmError({ children }: { children: ReactNode }) {
  return (
    <p role="alert" className="font-semibold text-safelight empty:hidden">
      {children}
    </p>
  )
}
