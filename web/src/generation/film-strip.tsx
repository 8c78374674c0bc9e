import type { ReactNode } from 'react'
import { Sprockets } from '../ui/sprockets.tsx'

/** The strip of film that the studio's frames lie on: upright on a phone, lying on a desk. */
export function FilmStrip({ children }: { children: ReactNode }) {
  return (
    <div className="on-film relative mt-8 bg-film text-bone max-md:py-3">
      <div className="absolute inset-y-0 left-1 md:hidden">
        <Sprockets vertical />
      </div>
      <div className="absolute inset-y-0 right-1 md:hidden">
        <Sprockets vertical />
      </div>
      <div className="max-md:hidden">
        <Sprockets />
      </div>
      <div className="mx-auto grid max-w-[100rem] items-start gap-x-6 gap-y-10 px-7 py-4 sm:px-8 md:grid-cols-2 lg:grid-cols-[1fr_1fr_1.35fr] lg:px-12">
        {children}
      </div>
      <div className="max-md:hidden">
        <Sprockets />
      </div>
    </div>
  )
}
