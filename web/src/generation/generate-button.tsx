import { useMessages } from '../ui/language.tsx'

interface GenerateButtonProps {
  busy: boolean
  /** Why the button is disabled; null when all is there. */
  missing: string | null
  onGenerate: () => void
}

/**
 * The main button with its price, and what is still missing. On a phone it lies at the bottom of the
 * screen, in reach of the thumb, wherever the page is scrolled to.
 */
export function GenerateButton({ busy, missing, onGenerate }: GenerateButtonProps) {
  const m = useMessages('dashboard')
  return (
    <div className="generate-bar max-md:fixed max-md:inset-x-0 max-md:bottom-0 max-md:z-30 max-md:flex max-md:flex-col-reverse max-md:border-t-2 max-md:border-ink max-md:bg-paper max-md:px-4 max-md:pt-1.5 max-md:pb-[max(0.6rem,env(safe-area-inset-bottom))]">
      <div className="flex items-stretch">
        <button
          type="button"
          className="button button-main min-h-13 flex-1 px-3 text-lg md:min-h-16 md:flex-none md:px-6 md:text-xl"
          disabled={busy || missing !== null}
          aria-describedby="price why-not"
          onClick={onGenerate}
        >
          {busy ? m.creatingMagic : m.generate}
        </button>
        <span id="price" className="stamp grid place-items-center px-3 text-sm">
          {m.price}
        </span>
      </div>
      <p id="why-not" className="text-grey max-md:text-[0.9rem] md:mt-2 md:min-h-6">
        {busy ? '' : missing}
      </p>
    </div>
  )
}
