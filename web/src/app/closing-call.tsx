import { useMessages } from '../ui/language.tsx'
import { PencilUnderline } from '../ui/pencil.tsx'
import { Sprockets } from '../ui/sprockets.tsx'
import { MainButton } from './main-button.tsx'

/** The main button once more. */
export function ClosingCall() {
  const m = useMessages('shell')
  return (
    <section aria-labelledby="closing" className="on-film bg-film text-bone">
      <Sprockets />
      <div className="mx-auto max-w-[100rem] px-4 py-8 sm:px-8 lg:px-12 lg:py-14">
        <h2 id="closing" className="display text-[clamp(2.5rem,7vw,5.5rem)]">
          <span className="narrow block">{m.closingFirst}</span>{' '}
          <span className="wide relative inline-block">
            {m.closingSecond}
            <PencilUnderline className="absolute -bottom-3 left-0 h-4 w-full" />
          </span>
        </h2>
        <p className="mt-6 mb-5 max-w-lg text-lg">{m.closingText}</p>
        <MainButton />
      </div>
    </section>
  )
}
