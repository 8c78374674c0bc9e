import { useMessages } from '../ui/language.tsx'
import { PencilUnderline } from '../ui/pencil.tsx'
import { Sprockets } from '../ui/sprockets.tsx'
import { MainButton } from './main-button.tsx'

/** The film's end: one unexposed frame, and the main button once more. */
export function ClosingCall() {
  const m = useMessages('shell')
  return (
    <section aria-labelledby="closing" className="on-film mt-16 bg-film text-bone">
      <Sprockets />
      <div className="mx-auto grid max-w-[100rem] gap-10 px-4 py-12 sm:px-8 md:grid-cols-[1fr_auto] md:items-center lg:px-12 lg:py-16">
        <div>
          <h2 id="closing" className="display text-[clamp(2.5rem,7vw,5.5rem)]">
            <span className="narrow block">{m.closingFirst}</span>{' '}
            <span className="wide relative inline-block">
              {m.closingSecond}
              <PencilUnderline className="absolute -bottom-3 left-0 h-4 w-full" />
            </span>
          </h2>
          <p className="mt-8 mb-7 max-w-lg text-lg">{m.closingText}</p>
          <MainButton />
        </div>
        <div
          aria-hidden="true"
          className="hidden aspect-4/5 w-64 flex-col justify-between border border-ash/50 p-3 md:flex"
        >
          <span className="edge-print text-amber">14</span>
          <span className="edge-print text-ash">{m.emptyFrame}</span>
        </div>
      </div>
    </section>
  )
}
