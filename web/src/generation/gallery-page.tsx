import { pages } from '@starside/contract/pages.ts'
import { starName } from '../ui/join-stars.ts'
import { useMessages } from '../ui/language.tsx'
import { addressWith, useLocation, useNavigate, TextLink } from '../ui/router.tsx'
import { Choice } from '../ui/form.tsx'
import { Gallery } from './gallery.tsx'
import { useGallery } from './use-gallery.ts'

/** All selfies of the user, or those with one star, in the order that the address says. */
export function GalleryPage() {
  const m = useMessages('dashboard')
  const query = new URLSearchParams(useLocation().search)
  const navigate = useNavigate()
  const star = query.get('star') ?? undefined
  const order = query.get('order') === 'oldest' ? 'oldest' : undefined
  const { stars } = useGallery({ star, order })
  const names = star === undefined || stars.includes(star) ? stars : [star, ...stars]
  const starNames = Object.fromEntries(names.map((name) => [name, starName(name, m)]))
  const choose = (name: string) => (value: string) =>
    navigate(addressWith(name, value), { replace: true })
  return (
    <div className="pb-20">
      <div className="page-width">
        <TextLink to={pages.dashboard.path}>{m.backToDashboard}</TextLink>
        <div className="flex flex-wrap items-end gap-x-6">
          <h2 data-page-heading className="display narrow mr-auto text-[clamp(2.6rem,7vw,5rem)]">
            {m.galleryTitle}
          </h2>
          {names.length > 0 ? (
            <Choice
              label={m.galleryOrder}
              value={order ?? ''}
              names={{ '': m.galleryNewest, oldest: m.galleryOldest }}
              choose={choose('order')}
            />
          ) : null}
          {names.length > 1 ? (
            <Choice
              label={m.galleryStar}
              value={star ?? ''}
              names={{ '': m.galleryAllStars, ...starNames }}
              choose={choose('star')}
            />
          ) : null}
        </div>
      </div>
      <Gallery key={`${star} ${order}`} star={star} order={order} />
    </div>
  )
}
