import { useAuth } from '../auth/auth-context.ts'
import { useMessages } from '../ui/language.tsx'

interface GenerateBarProps {
  /** Whether the photo has passed its check. */
  hasPhoto: boolean
  hasStar: boolean
  busy: boolean
  /** Why the button is disabled; null when all is there. */
  missing: string | null
  onGenerate: () => void
}

/**
 * The main button with its price, and the next step to it; without credits that is the way to get
 * some, and 'Generate' stands back. It stays at the bottom of the screen, on
 * a desk as long as the studio is in sight, on a phone wherever the page is scrolled to.
 */
export function GenerateBar(props: GenerateBarProps) {
  const { hasPhoto, hasStar, busy, missing, onGenerate } = props
  const m = useMessages('dashboard')
  const isOut = useAuth().user?.creditsBalance === 0 && !busy
  const steps = [
    { text: m.stepPhoto, href: '#person-1', isDone: hasPhoto },
    { text: m.stepStar, href: '#stars', isDone: hasStar },
    { text: m.stepGenerate, href: undefined, isDone: false },
  ]
  const next = steps.findIndex(({ isDone }) => !isDone)
  // The steps name these themselves.
  const isNamed = missing === null || !hasPhoto || !hasStar
  return (
    <div className="generate-bar">
      <div className="page-width flex gap-x-6 gap-y-1 py-2 max-md:flex-col md:flex-wrap md:items-center">
        {isOut ? (
          <p>{m.noCreditsLeft}</p>
        ) : (
          <ol className="flex gap-x-3 text-[0.9rem] whitespace-nowrap md:gap-x-5 md:text-base">
            {steps.map(({ text, href, isDone }, index) => (
              <li
                key={text}
                aria-current={index === next ? 'step' : undefined}
                className={index === next ? 'font-bold' : 'text-grey'}
              >
                <span aria-hidden="true" className="mr-1.5 font-mono text-[0.8em] text-red">
                  {isDone ? '✓' : index + 1}
                </span>
                {href ? <a href={href}>{text}</a> : text}
              </li>
            ))}
          </ol>
        )}
        <p
          id="why-not"
          className={isNamed ? 'sr-only' : 'text-[0.95rem] leading-snug font-semibold'}
        >
          {busy ? '' : missing}
        </p>
        <div className="flex items-stretch md:ml-auto">
          {isOut ? (
            <a href="#packages" className={`mr-2 ${mainClass}`}>
              {m.seePackages}
            </a>
          ) : (
            <span id="price" className="stamp grid shrink-0 place-items-center px-3 text-sm">
              {m.price}
            </span>
          )}
          <button
            type="button"
            className={isOut ? 'button px-3 max-md:flex-1' : mainClass}
            disabled={busy || missing !== null}
            aria-describedby={isOut ? 'why-not' : 'price why-not'}
            onClick={onGenerate}
          >
            {busy ? m.creatingMagic : m.generate}
          </button>
        </div>
      </div>
    </div>
  )
}

const mainClass =
  'button button-main min-h-12 px-3 text-[1.05rem] max-md:order-first max-md:flex-1 md:px-6 md:text-lg lg:px-8'
