import { Suspense, useRef, useState } from 'react'
import type { GenerationItem } from '@starside/contract/generation.ts'
import { useMessages } from '../ui/language.tsx'
import { LoadMoreButton } from '../ui/load-more-button.tsx'
import { Sprockets } from '../ui/sprockets.tsx'
import { GalleryFrame } from './gallery-frame.tsx'
import { useGallery } from './use-gallery.ts'
import { useNeighbourFocus } from './use-neighbour-focus.ts'
import { loadLater } from '../ui/load-later.ts'

const PictureDialog = loadLater(async () => (await import('./picture-dialog.tsx')).PictureDialog)

const columns = 'grid grid-cols-2 gap-3 sm:grid-cols-3 md:grid-cols-4 xl:grid-cols-6'

/** Everything the user has made, newest first. */
export function Gallery() {
  'use memo'
  const m = useMessages('dashboard')
  const gallery = useGallery()
  const [openId, setOpenId] = useState<string | null>(null)
  const open = gallery.items.find((item) => item.generationId === openId) ?? null
  const { deletedId } = gallery
  const frames = useRef<HTMLDivElement>(null)
  const expectRemoval = useNeighbourFocus(
    frames,
    gallery.items.map(({ generationId }) => generationId),
  )
  const remove = (item: GenerationItem): void => {
    expectRemoval(item.generationId)
    void gallery.remove(item)
  }
  return (
    <section aria-labelledby="gallery" id="selfies" tabIndex={-1}>
      <div className="mx-auto max-w-[100rem] px-4 sm:px-8 lg:px-12">
        <h2 id="gallery" className="display narrow text-[clamp(1.9rem,6vw,4.5rem)]">
          {m.galleryTitle}
        </h2>
        <p className="mt-3 text-lg text-grey max-md:hidden">{m.galleryLead}</p>
        <div role="status" className="mt-3">
          {deletedId ? (
            <p className="flex flex-wrap items-center gap-4 border-l-[10px] border-amber py-1 pl-4">
              {m.deleted}
              <button
                type="button"
                className="button"
                onClick={() => void gallery.restore(deletedId)}
              >
                {m.undo}
              </button>
            </p>
          ) : null}
        </div>
        <p role="alert" className="error-box mt-3 empty:hidden">
          {gallery.error}
        </p>
      </div>
      <div className="on-film mt-3 bg-film text-bone md:mt-6">
        <Sprockets />
        <div ref={frames} className="mx-auto max-w-[100rem] px-4 py-4 sm:px-8 lg:px-12">
          <GalleryRows gallery={gallery} onOpen={setOpenId} onRemove={remove} />
        </div>
        <Sprockets />
      </div>
      <Suspense fallback={null}>
        <PictureDialog
          item={open}
          onClose={() => setOpenId(null)}
          onDelete={(item) => {
            setOpenId(null)
            remove(item)
          }}
          onItem={gallery.changeItem}
        />
      </Suspense>
    </section>
  )
}

interface GalleryRowsProps {
  gallery: ReturnType<typeof useGallery>
  onOpen: (generationId: string) => void
  onRemove: (item: GenerationItem) => void
}

/** The selfies, or that they are loading, failed to load, or are none yet. */
function GalleryRows({ gallery, onOpen, onRemove }: GalleryRowsProps) {
  const m = useMessages('dashboard')
  const { query, items, total } = gallery
  if (query.isPending) return <EmptyRow text={m.galleryLoading} live />
  const failure = query.isError ? (
    <p role="alert" className="py-8">
      {m.galleryFailed}{' '}
      <button type="button" className="text-link" onClick={() => void query.refetch()}>
        {m.tryAgain}
      </button>
    </p>
  ) : null
  if (items.length === 0) return failure ?? <EmptyRow text={m.galleryEmpty} />
  return (
    <>
      <ul className={columns}>
        {items.map((item, index) => (
          <li key={item.generationId} data-frame={item.generationId}>
            <GalleryFrame
              item={item}
              number={total - index}
              onOpen={() => onOpen(item.generationId)}
              onRemove={() => onRemove(item)}
            />
          </li>
        ))}
      </ul>
      {failure}
      {query.hasNextPage ? (
        <LoadMoreButton
          className="button button-film my-4"
          isLoading={query.isFetchingNextPage}
          onClick={() => void query.fetchNextPage()}
        />
      ) : null}
    </>
  )
}

function EmptyRow({ text, live = false }: { text: string; live?: boolean }) {
  return (
    <div className={columns}>
      <p
        role={live ? 'status' : undefined}
        className="flex items-end border border-ash/45 p-3 text-ash max-sm:col-span-2 sm:aspect-4/5"
      >
        {text}
      </p>
      {['b', 'c', 'd', 'e', 'f'].map((key, index) => (
        <div
          key={key}
          aria-hidden="true"
          className={`aspect-4/5 border border-ash/25 ${['max-sm:hidden', 'max-sm:hidden', 'max-md:hidden', 'max-xl:hidden', 'max-xl:hidden'][index] ?? ''}`}
        />
      ))}
    </div>
  )
}
