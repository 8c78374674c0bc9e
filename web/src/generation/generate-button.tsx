import { useMessages } from '../ui/language.tsx'

interface GenerateButtonProps {
  busy: boolean
  /** Why the button is disabled; null when all is there. */
  missing: string | null
  onGenerate: () => void
}

/** The main button with its price, and what is still missing. */
export function GenerateButton({ busy, missing, onGenerate }: GenerateButtonProps) {
  const m = useMessages('dashboard')
  return (
    <div>
      <div className="flex flex-wrap items-stretch">
        <button
          type="button"
          className="button button-main min-h-16 flex-1 px-6 text-xl sm:flex-none"
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
      <p id="why-not" className="mt-2 min-h-6 text-grey">
        {busy ? '' : missing}
      </p>
    </div>
  )
}
