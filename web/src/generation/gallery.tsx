import { useState } from 'react'
import { useInfiniteQuery, useQueryClient, type InfiniteData } from '@tanstack/react-query'
import type { GenerationItem, GenerationListAnswer } from '@starside/contract/generation.ts'
import { deletionUndoMs } from '@starside/contract/limits.ts'
import { call } from '../api/call.ts'
import { useAuth } from '../auth/auth-context.ts'
import { dateTimeText } from '../ui/date-text.ts'
import { useErrorSentence } from '../ui/error-sentence.ts'
import { fill } from '../ui/fill.ts'
import { useLanguage, useMessages } from '../ui/language.tsx'
import { Sprockets } from '../ui/sprockets.tsx'
import { PictureDialog } from './picture-dialog.tsx'
import { starTexts } from './star-texts.ts'

/** Key of the gallery's pages in the query cache. */
export const galleryKey = ['generations'] as const

/** Everything the user has made, newest first. */
export function Gallery() {
  'use memo'
  const m = useMessages('dashboard')
  const sentenceOf = useErrorSentence()
  const queryClient = useQueryClient()
  const { user, updateUser } = useAuth()
  const [openId, setOpenId] = useState<string | null>(null)
  const [deletedId, setDeletedId] = useState<string | null>(null)
  const [error, setError] = useState<string | null>(null)
  const query = useInfiniteQuery({
    queryKey: galleryKey,
    queryFn: ({ pageParam, signal }) =>
      call('GET /api/generations', { query: { cursor: pageParam ?? undefined }, signal }),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.nextCursor,
  })
  const items = query.data?.pages.flatMap((page) => page.items) ?? []
  const total = query.data?.pages[0]?.total ?? items.length
  const open = items.find((item) => item.generationId === openId) ?? null

  const change = (update: (items: GenerationItem[]) => GenerationItem[]): void => {
    queryClient.setQueryData<InfiniteData<GenerationListAnswer>>(galleryKey, (data) =>
      data
        ? { ...data, pages: data.pages.map((page) => ({ ...page, items: update(page.items) })) }
        : data,
    )
  }
  const remove = async (item: GenerationItem): Promise<void> => {
    setOpenId(null)
    setError(null)
    try {
      await call('DELETE /api/generations/:generationId', {
        params: { generationId: item.generationId },
      })
      change((list) => list.filter((one) => one.generationId !== item.generationId))
      if (item.state === 'done')
        updateUser({ selfiesCreated: Math.max(0, (user?.selfiesCreated ?? 1) - 1) })
      setDeletedId(item.generationId)
      // The server keeps it for a while; after that there is nothing to undo.
      setTimeout(
        () => setDeletedId((shown) => (shown === item.generationId ? null : shown)),
        deletionUndoMs,
      )
    } catch (failure) {
      setError(sentenceOf(failure, m.deleteFailed))
    }
  }
  const restore = async (generationId: string): Promise<void> => {
    setDeletedId(null)
    try {
      await call('POST /api/generations/:generationId/restore', { params: { generationId } })
      updateUser({ selfiesCreated: (user?.selfiesCreated ?? 0) + 1 })
      await queryClient.invalidateQueries({ queryKey: galleryKey })
    } catch (failure) {
      setError(sentenceOf(failure, m.restoreFailed))
    }
  }
  return (
    <section aria-labelledby="gallery" id="selfies" tabIndex={-1}>
      <div className="mx-auto max-w-[100rem] px-4 sm:px-8 lg:px-12">
        <h2 id="gallery" className="display narrow text-[clamp(2.4rem,6vw,4.5rem)]">
          {m.galleryTitle}
        </h2>
        <p className="mt-3 text-lg text-grey">{m.galleryLead}</p>
        <div role="status" className="mt-3">
          {deletedId ? (
            <p className="flex flex-wrap items-center gap-4 border-l-[10px] border-amber py-1 pl-4">
              {m.deleted}
              <button type="button" className="button" onClick={() => void restore(deletedId)}>
                {m.undo}
              </button>
            </p>
          ) : null}
        </div>
        <p role="alert" className="error-box mt-3 empty:hidden">
          {error}
        </p>
      </div>
      <div className="on-film mt-6 bg-film text-bone">
        <Sprockets />
        <div className="mx-auto max-w-[100rem] px-4 py-4 sm:px-8 lg:px-12">
          {query.isPending ? <EmptyRow text={m.galleryLoading} live /> : null}
          {query.isError ? (
            <p role="alert" className="py-8">
              {m.galleryFailed}{' '}
              <button type="button" className="text-link" onClick={() => void query.refetch()}>
                {m.tryAgain}
              </button>
            </p>
          ) : null}
          {query.isSuccess && items.length === 0 ? <EmptyRow text={m.galleryEmpty} /> : null}
          {items.length > 0 ? (
            <ul className="grid grid-cols-2 gap-3 sm:grid-cols-3 md:grid-cols-4 xl:grid-cols-6">
              {items.map((item, index) => (
                <li key={item.generationId}>
                  <GalleryFrame
                    item={item}
                    number={total - index}
                    onOpen={() => setOpenId(item.generationId)}
                    onRemove={() => void remove(item)}
                  />
                </li>
              ))}
            </ul>
          ) : null}
          {query.hasNextPage ? (
            <button
              type="button"
              className="button button-film my-4"
              disabled={query.isFetchingNextPage}
              onClick={() => void query.fetchNextPage()}
            >
              {query.isFetchingNextPage ? m.loadingMore : m.loadMore}
            </button>
          ) : null}
        </div>
        <Sprockets />
      </div>
      <PictureDialog
        item={open}
        onClose={() => setOpenId(null)}
        onDelete={(item) => void remove(item)}
        onItem={(changed) =>
          change((list) =>
            list.map((one) => (one.generationId === changed.generationId ? changed : one)),
          )
        }
      />
    </section>
  )
}

function EmptyRow({ text, live = false }: { text: string; live?: boolean }) {
  return (
    <div className="grid grid-cols-2 gap-3 sm:grid-cols-3 md:grid-cols-4 xl:grid-cols-6">
      <p
        role={live ? 'status' : undefined}
        className="flex aspect-4/5 items-end border border-ash/45 p-3 text-ash"
      >
        {text}
      </p>
      {['b', 'c', 'd', 'e', 'f'].map((key, index) => (
        <div
          key={key}
          aria-hidden="true"
          className={`aspect-4/5 border border-ash/25 ${['', 'max-sm:hidden', 'max-md:hidden', 'max-xl:hidden', 'max-xl:hidden'][index] ?? ''}`}
        />
      ))}
    </div>
  )
}

function GalleryFrame(props: {
  item: GenerationItem
  number: number
  onOpen: () => void
  onRemove: () => void
}) {
  const { item, number } = props
  const m = useMessages('dashboard')
  const { language } = useLanguage()
  const date = dateTimeText(item.createdAt, language)
  const { name } = starTexts(item.celebrity, m)
  const picture = item.thumbnailUrl ?? item.imageUrl
  const caption = (
    <span className="edge-print mt-1 flex justify-between gap-2">
      <span className="text-amber">{number}</span>
      <span className="truncate">{name}</span>
    </span>
  )
  if (item.state !== 'done' || !picture) {
    const failed = item.state === 'failed'
    return (
      <div>
        <div className="flex aspect-4/5 flex-col justify-between border border-ash/45 p-3 text-sm">
          <p className="font-semibold">{failed ? m.frameFailed : m.frameRunning}</p>
          {failed ? (
            <div>
              <p className="text-ash">{m.frameFailedText}</p>
              <button type="button" className="text-link mt-2 min-h-8" onClick={props.onRemove}>
                {m.deletePicture}
              </button>
            </div>
          ) : null}
        </div>
        {caption}
      </div>
    )
  }
  return (
    <button type="button" className="group block w-full text-left" onClick={props.onOpen}>
      <span className="relative block">
        <img
          src={picture}
          alt={fill(m.openFrame, { number, celebrity: name, date })}
          width={400}
          height={500}
          loading="lazy"
          decoding="async"
          className="block aspect-4/5 h-auto w-full object-cover outline-3 outline-transparent group-hover:outline-bone"
        />
        <span aria-hidden="true" className="stamp absolute right-1.5 bottom-1.5">
          {m.badgeAi}
        </span>
      </span>
      <span aria-hidden="true">{caption}</span>
    </button>
  )
}
