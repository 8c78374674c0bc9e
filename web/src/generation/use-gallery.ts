import { useQueryClient, type InfiniteData, type QueryClient } from '@tanstack/react-query'
import type { GenerationItem, GenerationListAnswer } from '@starside/contract/generation.ts'
import { deletionUndoMs } from '@starside/contract/limits.ts'
import { call } from '../api/call.ts'
import { useAuth } from '../auth/auth-context.ts'
import { useMessages } from '../ui/language.tsx'
import { usePages } from '../ui/query-state.tsx'
import { useSubmission } from '../ui/form.tsx'
import { useDeleted } from './use-deleted.ts'
import { forgetGeneratedImage, restoreGeneratedImage } from './image-cache.ts'

/** Key of the gallery's pages in the query cache. */
export const galleryKey = ['generations'] as const

/** Which selfies: those with one star, the newest first unless asked otherwise. */
export type GalleryQuery = { star?: string | undefined; order?: 'oldest' | undefined }

/** One's own selfies page by page; deleting and bringing back some of them. */
export function useGallery(asked: GalleryQuery = {}) {
  'use memo'
  const m = useMessages('dashboard')
  const queryClient = useQueryClient()
  const { user, updateUser, refreshUser } = useAuth()
  const { offerUndo, restore: restoreAll, ...undo } = useDeleted()
  const { submit, ...submission } = useSubmission(m.deleteFailed)
  const query = usePages(
    [...galleryKey, asked],
    (cursor, signal) => call('GET /api/generations', { query: { cursor, ...asked }, signal }),
    // What is in progress becomes a picture by itself.
    { refetchInterval: ({ state }) => (itemsOf(state.data?.pages).some(isRunning) ? 5_000 : 0) },
  )
  const items = itemsOf(query.data?.pages)
  /** Deletes one after the other, until one fails. */
  const remove = async (ids: readonly string[]): Promise<void> => {
    const untilMs = Date.now() + deletionUndoMs
    const gone: string[] = []
    await submit(async () => {
      for (const generationId of ids) {
        await call('DELETE /api/generations/:generationId', { params: { generationId } })
        gone.push(generationId)
      }
    })
    if (gone.length === 0) return
    // The studio would ask for it at its next visit.
    if (gone.includes(restoreGeneratedImage(Date.now())?.generationId ?? '')) forgetGeneratedImage()
    const isLeft = ({ generationId }: GenerationItem) => !gone.includes(generationId)
    changePages(queryClient, (list) => list.filter(isLeft))
    updateUser({ selfiesCreated: Math.max(0, (user?.selfiesCreated ?? 0) - gone.length) })
    offerUndo(gone, untilMs)
  }
  /** Brings them back, until one fails; gives the ids of those that came. */
  const restore = async (): Promise<readonly string[]> => {
    const path = 'POST /api/generations/:generationId/restore'
    const ids = await restoreAll((generationId) =>
      submit(() => call(path, { params: { generationId } }), m.restoreFailed),
    )
    if (ids.length > 0) {
      void refreshUser().catch(() => undefined)
      await queryClient.invalidateQueries({ queryKey: galleryKey })
    }
    return ids
  }
  return {
    query,
    items,
    /** With whom there are selfies, whoever is asked for. */
    stars: query.data?.pages[0]?.stars ?? [],
    total: query.data?.pages[0]?.total ?? items.length,
    ...submission,
    ...undo,
    remove,
    restore,
    /** Takes over what became of one selfie, as when it got a public link. */
    changeItem: (changed: GenerationItem) =>
      changePages(queryClient, (list) =>
        list.map((one) => (one.generationId === changed.generationId ? changed : one)),
      ),
  }
}

const isRunning = ({ state }: GenerationItem) => state === 'running'
const itemsOf = (pages: GenerationListAnswer[] = []) => pages.flatMap(({ items }) => items)

type UpdateItems = (items: GenerationItem[]) => GenerationItem[]

function changePages(queryClient: QueryClient, update: UpdateItems): void {
  const filter = { queryKey: galleryKey }
  queryClient.setQueriesData<InfiniteData<GenerationListAnswer>>(filter, (data) => {
    if (!data) return data
    const pages = data.pages.map((page) => ({ ...page, items: update(page.items) }))
    const gone = itemsOf(data.pages).length - itemsOf(pages).length
    return { ...data, pages: pages.map((page) => ({ ...page, total: page.total - gone })) }
  })
}
