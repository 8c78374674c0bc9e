import { useEffect, useRef, useState } from 'react'
import type { GenerationItem } from '@starside/contract/generation.ts'
import { deletionUndoMs } from '@starside/contract/limits.ts'
import { pages } from '@starside/contract/pages.ts'
import { fill, formatMessage } from '@starside/contract/fill.ts'
import { useLanguage, useMessages, dateTimeText } from '../ui/language.tsx'
import { loadPart } from '../ui/load-later.tsx'
import { loadCatalogue } from '../ui/messages/catalogues.ts'
import { QueryState, LoadMoreButton } from '../ui/query-state.tsx'
import { useGallery, type GalleryQuery } from './use-gallery.ts'
import { GalleryBar, type Selected } from './gallery-selection.tsx'
import { glide } from '../ui/glide.ts'
import { starTexts } from './star-texts.ts'
import { otherShared } from '../sharing/public-link.tsx'
import { Button } from '../ui/button.tsx'
import { isRecord } from '../api/is-record.ts'
import { addressWith, useLocation, useNavigate, TextLink } from '../ui/router.tsx'

const PictureDialog = loadPart(() => import('./picture-dialog.tsx'), 'PictureDialog')

/** So many selfies the dashboard shows. */
export const newestCount = 4

/** The newest selfies, on the dashboard, and the way to all of them. */
export function NewestSelfies() {
  const m = useMessages('dashboard')
  return (
    <section aria-labelledby="gallery" id="selfies" tabIndex={-1}>
      <div className="gallery-head page-width">
        <h2 id="gallery" className="display narrow">
          {m.galleryTitle}
        </h2>
        <TextLink to={pages.gallery.path}>{m.allSelfies}</TextLink>
      </div>
      <Gallery isPreview />
    </section>
  )
}

/** All selfies of the user, or those with one star, in the order that the address says. */
export function GalleryPage() {
  const m = useMessages('dashboard')
  const query = new URLSearchParams(useLocation().search)
  const order = query.get('order') === 'oldest' ? 'oldest' : undefined
  return (
    <div className="pb-20">
      <div className="gallery-head page-width">
        <h2 data-page-heading className="display narrow">
          {m.galleryTitle}
        </h2>
        <TextLink to={pages.dashboard.path}>{m.backToDashboard}</TextLink>
      </div>
      <Gallery star={query.get('star') ?? undefined} order={order} />
    </div>
  )
}

/** The user's selfies, the newest alone as a preview: opened, selected, deleted, brought back. */
export function Gallery({ isPreview = false, ...asked }: GalleryQuery & { isPreview?: boolean }) {
  'use memo'
  const m = useMessages('dashboard')
  const gallery = useGallery(asked)
  const { items, deletedIds, query } = gallery
  const { language } = useLanguage()
  const [selected, select] = useState<Selected>(null)
  const { openId, open, turnBy, turnTo, close } = useOpenPicture()
  // What the dialog says has to be there when the picture glides to it.
  useEffect(() => void loadCatalogue('variations', language).catch(() => undefined), [language])
  const frames = useRef<HTMLDivElement>(null)
  const lastOpen = useRef('')
  useEffect(() => {
    if (openId !== null) lastOpen.current = openId
    // Whoever turned pages is at the frame of the last one, where it glides to.
    else {
      const frame = `[data-frame="${CSS.escape(lastOpen.current)}"] button`
      document.querySelector<HTMLElement>(frame)?.focus()
    }
  }, [openId])
  const focusPictures = () =>
    (document.querySelector<HTMLElement>('.picture-dialog [tabindex]') ?? frames.current)?.focus()
  const finished = items.filter((item) => item.imageUrl !== null)
  const { hasNextPage, isFetching, isError, fetchNextPage } = query
  const at = finished.findIndex(({ generationId }) => generationId === openId)
  const [isLarge, hasNext] = [at >= 0, at >= 0 && at < finished.length - 1]
  const needsMore = openId !== null && !isFetching && !isError && !hasNext
  // So that what is open is found, and there is always a next one to turn to.
  useEffect(() => {
    if (needsMore && hasNextPage) void fetchNextPage()
  }, [needsMore, hasNextPage, fetchNextPage])
  const notices = (
    <div className={isLarge || !isPreview ? 'gallery-toast' : 'page-width'}>
      <div className={deletedIds ? 'deleted-notice' : ''}>
        <p role="status">
          {deletedIds ? formatMessage(m.deleted, { count: deletedIds.length }, language) : null}
        </p>
        {deletedIds ? (
          <Button
            className="px-3 tabular-nums sm:px-4"
            // What counts down is for the eye.
            aria-label={fill(m.undo, { seconds: deletionUndoMs / 1_000 })}
            onClick={() => {
              focusPictures()
              void gallery.restore().then(([first]) => turnTo(first))
            }}
          >
            {fill(m.undo, { seconds: gallery.undoSeconds })}
          </Button>
        ) : null}
      </div>
      <p role="alert" className="error-box mt-3 empty:hidden">
        {gallery.error}
      </p>
    </div>
  )
  return (
    <>
      {isLarge ? null : notices}
      <div className="film-strip on-film mt-3 bg-film text-bone">
        {isPreview || (finished.length === 0 && asked.star === undefined) ? null : (
          <GalleryBar
            {...{ gallery, asked, selected }}
            onSelect={select}
            onDelete={(ids) => {
              if (gallery.busy) return
              frames.current?.focus()
              select(null)
              void gallery.remove(ids)
            }}
          />
        )}
        <div ref={frames} tabIndex={-1} className="page-width py-4 max-md:py-2 md:[&>p]:py-8">
          <GalleryRows {...{ gallery, isPreview, selected }} onSelect={select} onOpen={open} />
        </div>
      </div>
      <PictureDialog
        items={finished}
        total={gallery.total}
        openId={openId}
        notices={notices}
        onTurnBy={(step) => turnBy(finished, step)}
        onClose={close}
        onDelete={(item) => {
          if (gallery.busy) return
          if (finished.length > 1) turnBy(finished, hasNext ? 1 : -1)
          else close()
          focusPictures()
          void gallery.remove([item.generationId])
        }}
        onItem={gallery.changeItem}
      />
    </>
  )
}

interface GalleryRowsProps extends Omit<GalleryFrameProps, 'item'> {
  gallery: ReturnType<typeof useGallery>
  isPreview: boolean
}

function GalleryRows({ gallery, isPreview, ...frame }: GalleryRowsProps) {
  const m = useMessages('dashboard')
  const { query, items } = gallery
  return (
    <>
      {query.isSuccess && items.length === 0 ? <p className="text-ash">{m.galleryEmpty}</p> : null}
      <ul className={`gallery-rows ${isPreview ? 'gallery-row' : ''}`}>
        {(isPreview ? items.slice(0, newestCount) : items).map((item) => (
          <GalleryFrame key={item.generationId} item={item} {...frame} />
        ))}
      </ul>
      <QueryState query={query} loading={m.galleryLoading} failed={m.galleryFailed} />
      {isPreview ? null : <LoadMoreButton className="button-film my-4" query={query} />}
    </>
  )
}

interface GalleryFrameProps {
  item: GenerationItem
  selected: Selected
  onSelect: (selected: Selected) => void
  onOpen: (generationId: string) => void
}

/** One selfie of the gallery, which opens large, or is selected, once it is made. */
function GalleryFrame({ item, selected, onSelect, onOpen }: GalleryFrameProps) {
  const m = useMessages('dashboard')
  const { language } = useLanguage()
  const { name } = starTexts(item.celebrities, m)
  const { generationId: id, thumbnailUrl } = item
  const other = otherShared(item)
  const date = dateTimeText(item.createdAt, language)
  const day = dateTimeText(item.createdAt, language, { dateStyle: 'medium' })
  const others = selected?.filter((one) => one !== id) ?? []
  const picture = (
    <>
      <span className="relative block">
        {thumbnailUrl ? (
          <img
            src={thumbnailUrl}
            alt={fill(m.openFrame, { celebrity: name, date })}
            loading="lazy"
            className="block aspect-(--aspect) w-full outline-3 outline-transparent group-hover:outline-bone"
          />
        ) : (
          <span className="block aspect-(--aspect) border p-3 font-semibold">{m.frameRunning}</span>
        )}
        {item.shareUrl ? (
          <span className="stamp absolute bottom-1.5 left-1.5">
            {other === 0 ? m.badgeLink : fill(m.badgeLinkOther, { number: other })}
          </span>
        ) : null}
      </span>
      <span
        aria-hidden={thumbnailUrl !== null || undefined}
        className="mt-1.5 block text-[0.8125rem] leading-snug *:block"
      >
        <span className="truncate first-letter:uppercase">{name}</span>
        <span className="truncate text-ash">{day}</span>
      </span>
    </>
  )
  return (
    <li
      data-frame={id}
      style={{ ['--aspect' as string]: Number(item.widthPx) / Number(item.heightPx) || 0.8 }}
    >
      {!thumbnailUrl ? (
        picture
      ) : selected === null ? (
        <button type="button" className="group block w-full text-left" onClick={() => onOpen(id)}>
          {picture}
        </button>
      ) : (
        <label className="selectable group has-checked:[&_img]:outline-amber">
          <input
            type="checkbox"
            checked={selected.includes(id)}
            onChange={({ target }) => onSelect(target.checked ? [...others, id] : others)}
          />
          {picture}
        </label>
      )}
    </li>
  )
}

const parameter = 'selfie'
/** Told to the browser's history, so that closing goes back instead of on. */
const openedHere = { openedHere: true }

/** Which selfie is open, as the page's address says: the browser's Back closes it. */
export function useOpenPicture() {
  const { search } = useLocation()
  const navigate = useNavigate()
  /** The address says which it is: a fast press comes before the page does. */
  const openNow = () => new URLSearchParams(location.search).get(parameter)
  /** Another in the place of the one that is open, which goes at once. */
  const turnTo = (id = ''): void => {
    const state: unknown = history.state
    if (id && openNow()) navigate(addressWith(parameter, id), { replace: true, state })
  }
  return {
    openId: new URLSearchParams(search).get(parameter),
    open: (id: string) =>
      void glide(() => navigate(addressWith(parameter, id), { state: openedHere })),
    turnTo,
    turnBy: (items: readonly GenerationItem[], step: -1 | 1) => {
      const at = items.findIndex(({ generationId }) => generationId === openNow())
      if (at >= 0) turnTo(items[at + step]?.generationId)
    },
    close: () => {
      if (!openNow()) return
      const state: unknown = history.state
      if (isRecord(state) && state['openedHere'] === true) {
        // Going back takes a moment, in which a second press must not go farther.
        history.replaceState(null, '')
        void glide(async () => {
          history.back()
          await new Promise((resolve) => addEventListener('popstate', resolve, { once: true }))
        })
      } else navigate(addressWith(parameter, ''), { replace: true })
    },
  }
}
