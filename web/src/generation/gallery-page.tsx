import { pages } from '@starside/contract/pages.ts'
import { Select } from '../ui/form.tsx'
import { useMessages } from '../ui/language.tsx'
import { useLocation, useNavigate, TextLink } from '../ui/router.tsx'
import { Gallery } from './gallery.tsx'
import { starTexts } from './star-texts.ts'
import { useGallery } from './use-gallery.ts'

/** All selfies of the user, or those with one star, as the address says. */
export function GalleryPage() {
  const m = useMessages('dashboard')
  const { search } = useLocation()
  const navigate = useNavigate()
  const star = new URLSearchParams(search).get('star')
  const { stars } = useGallery(star)
  const choose = (name: string): void => {
    const query = name === '' ? '' : `?${new URLSearchParams({ star: name }).toString()}`
    navigate(`${pages.gallery.path}${query}`, { replace: true })
  }
  const names = star === null || stars.includes(star) ? stars : [star, ...stars]
  const options = Object.fromEntries(names.map((name) => [name, starTexts([name], m).name]))
  return (
    <div className="pb-20">
      <div className="page-width">
        <TextLink to={pages.dashboard.path}>{m.backToDashboard}</TextLink>
        <div className="flex flex-wrap items-end justify-between gap-x-6 gap-y-2">
          <h2 data-page-heading className="display narrow text-[clamp(2.6rem,7vw,5rem)]">
            {m.galleryTitle}
          </h2>
          {names.length > 1 ? (
            <label className="flex items-center gap-2">
              {m.galleryStar}
              <Select
                className="field w-auto"
                options={{ '': m.galleryAllStars, ...options }}
                value={star ?? ''}
                onChange={(event) => choose(event.target.value)}
              />
            </label>
          ) : null}
        </div>
      </div>
      <Gallery key={star} star={star} />
    </div>
  )
}
