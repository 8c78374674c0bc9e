import type { ReactNode } from 'react'
import { Sprockets } from '../ui/sprockets.tsx'

/** The strip of film that the studio's frames lie on: two side by side on a phone, three on a desk. */
export function FilmStrip({ children }: { children: ReactNode }) {
  return (
    <div className="on-film mt-3 bg-film text-bone md:mt-8">
      <Sprockets />
      <div className="mx-auto grid max-w-[100rem] grid-cols-2 items-start gap-x-3 gap-y-5 px-4 py-2 sm:px-8 md:gap-x-6 md:gap-y-10 md:py-4 lg:grid-cols-[1fr_1fr_1.35fr] lg:px-12">
        {children}
      </div>
      <Sprockets />
    </div>
  )
}
