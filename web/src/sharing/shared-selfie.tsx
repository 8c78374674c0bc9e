import { useAuth } from '../auth/auth-context.ts'
import { useBrowserSearch, Link } from '../ui/router.tsx'
import { codeOf, registrationPath } from '../ui/carried-code.ts'
import { useLanguage, useMessages } from '../ui/language.tsx'
import { metaContent } from '../ui/meta-content.ts'

/** The selfie of `/?ref=CODE&selfie=ID`, while the server writes its card into the Open Graph tags. */
export function SharedSelfie() {
  const m = useMessages('shell')
  const { language } = useLanguage()
  const { isAuthenticated } = useAuth()
  const search = useBrowserSearch()
  const shareId = new URLSearchParams(search).get('selfie')
  if (!shareId) return null
  const card = metaContent('og:image')
  // A link that no longer works, or never did, opens the page with the card of the site.
  if (!card.includes(`/api/shares/${shareId}/card.jpg`)) {
    return (
      <p role="alert" className="page-width pb-4 text-xl font-semibold">
        {m.notShared}
      </p>
    )
  }
  // The card is in the language that the page came in.
  const heading = card.endsWith(`lang=${language}`) ? metaContent('og:title') : m.sharedHeading
  return (
    <section
      aria-labelledby="shared"
      className="page-width flex items-center gap-x-10 gap-y-5 pt-2 pb-10 max-lg:flex-col max-lg:items-start"
    >
      <figure className="relative min-w-0 bg-film p-2 pb-11 text-bone max-sm:w-full">
        <img
          src={`/api/shares/${shareId}/picture.jpg`}
          alt={m.sharedAlt}
          className="block h-auto max-h-[45dvh] w-full object-contain sm:w-auto md:max-h-[55dvh] lg:max-h-[75dvh]"
        />
        <figcaption className="stamp absolute bottom-2 left-2">{m.madeWithAi}</figcaption>
      </figure>
      <div className="flex max-w-md flex-col items-start gap-3 lg:w-88 lg:shrink-0">
        <h2 id="shared" className="display narrow text-4xl">
          {heading}
        </h2>
        {isAuthenticated ? null : <p className="text-lg max-sm:order-1">{m.sharedText}</p>}
        <Link
          to={registrationPath(codeOf('ref', search))}
          className="button button-main min-h-14 px-7 text-lg"
        >
          {isAuthenticated ? m.startCreating : m.makeYours}
        </Link>
        <Link to={`/?report=${shareId}`} className="text-link order-1 py-1 text-[0.95rem]">
          {m.reportPicture}
        </Link>
      </div>
    </section>
  )
}
