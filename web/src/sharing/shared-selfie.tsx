import { useBrowserSearch } from '../ui/router.tsx'
import { referralCodeOf, registrationPath } from '../referrals/carry-referral.ts'
import { Link } from '../ui/link.tsx'
import { useLanguage, useMessages } from '../ui/language.tsx'

/**
 * The selfie of a public link (`/?ref=CODE&selfie=ID`). The server writes the card's address
 * into the page's Open Graph tags while the link works; the picture lies beside the card.
 */
export function SharedSelfie() {
  const m = useMessages('shell')
  const { language } = useLanguage()
  const search = useBrowserSearch()
  const shareId = new URLSearchParams(search).get('selfie')
  if (!shareId) return null
  const card = metaContent('og:image')
  // A link that no longer works opens the page with the card of the site.
  if (!card.includes(`/api/shares/${shareId}/card.jpg`)) return null
  // The card is in the language that the page came in.
  const heading = card.endsWith(`lang=${language}`) ? metaContent('og:title') : m.sharedHeading
  return (
    <section
      aria-labelledby="shared"
      className="page-width flex flex-wrap items-center gap-6 pt-4 pb-10"
    >
      <figure className="relative w-fit max-w-sm bg-film p-2 pb-11 text-bone">
        <img
          src={`/api/shares/${shareId}/picture.jpg`}
          alt={m.sharedAlt}
          className="block h-auto max-h-[45dvh] w-auto max-w-full"
        />
        <figcaption className="absolute bottom-2 left-2">
          <span className="stamp">{m.madeWithAi}</span>
        </figcaption>
      </figure>
      <div className="max-w-md">
        <h2 id="shared" className="display narrow text-4xl">
          {heading}
        </h2>
        <p className="mt-3">
          <Link
            to={registrationPath(referralCodeOf(search))}
            className="button button-main min-h-14 px-7 text-lg"
          >
            {m.makeYours}
          </Link>
        </p>
        <p className="mt-3 text-lg">{m.sharedText}</p>
        <Link
          to={`/?report=${shareId}`}
          className="text-link mt-4 inline-block py-1 text-[0.95rem]"
        >
          {m.reportPicture}
        </Link>
      </div>
    </section>
  )
}

function metaContent(property: string): string {
  return document.querySelector<HTMLMetaElement>(`meta[property="${property}"]`)?.content ?? ''
}
