import { useSyncExternalStore } from 'react'
import { useLocation } from '../ui/router.tsx'
import { referralCodeOf, registrationPath } from '../referrals/carry-referral.ts'
import { Link } from '../ui/link.tsx'
import { useMessages } from '../ui/language.tsx'

/**
 * The selfie of a public link (`/?ref=CODE&selfie=ID`). The server writes the picture's address
 * into the page's Open Graph tags for other sites' cards; the same tag serves here.
 */
export function SharedSelfie() {
  const m = useMessages('shell')
  const { search } = useLocation()
  // Empty while hydrating, as the prerendered page is.
  const image = useSyncExternalStore(
    noChange,
    () => (new URLSearchParams(search).has('selfie') ? taggedPicture() : null),
    () => null,
  )
  if (!image) return null
  return (
    <section
      aria-labelledby="shared"
      className="mx-auto flex max-w-[100rem] flex-wrap items-center gap-6 px-4 pt-4 sm:px-8 lg:px-12"
    >
      <figure className="relative w-full max-w-sm bg-film p-2 pb-9 text-bone">
        <img src={image} alt={m.sharedAlt} className="block h-auto w-full" />
        <figcaption className="absolute bottom-2 left-2">
          <span className="stamp">{m.madeWithAi}</span>
        </figcaption>
      </figure>
      <div className="max-w-md">
        <h2 id="shared" className="display narrow text-4xl">
          {m.sharedHeading}
        </h2>
        <p className="mt-3 text-lg">{m.sharedText}</p>
        <p className="mt-5">
          <Link
            to={registrationPath(referralCodeOf(search))}
            className="button button-main min-h-14 px-7 text-lg"
          >
            {m.makeYours}
          </Link>
        </p>
        <Link
          to={`/?report=${new URLSearchParams(search).get('selfie') ?? ''}`}
          className="text-link mt-4 inline-block py-1 text-[0.95rem]"
        >
          {m.reportPicture}
        </Link>
      </div>
    </section>
  )
}

function noChange(): () => void {
  return () => undefined
}

function taggedPicture(): string | null {
  const tag = document.querySelector<HTMLMetaElement>('meta[property="og:image"]')
  return sameHostAddress(tag?.content ?? null)
}

/** The path of an address on this host; null for anything else, which the page would not load. */
function sameHostAddress(address: string | null): string | null {
  if (!address) return null
  const url = new URL(address, location.href)
  return url.host === location.host ? `${url.pathname}${url.search}` : null
}
