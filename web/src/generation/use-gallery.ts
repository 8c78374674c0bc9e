import { useQueryClient, type InfiniteData, type QueryClient } from '@tanstack/react-query'
import type { GenerationItem, GenerationListAnswer } from '@starside/contract/generation.ts'
import { deletionUndoMs } from '@starside/contract/limits.ts'
import { call } from '../api/call.ts'
import { useAuth } from '../auth/auth-context.ts'
import { useMessages } from '../ui/language.tsx'
import { usePages } from '../ui/query-state.tsx'
import { useNotice } from '../ui/use-notice.ts'
import { useSubmission } from '../ui/form.tsx'
import { forgetGeneratedImage, restoreGeneratedImage } from './image-cache.ts'

/** Key of the gallery's pages in the query cache. */
export const galleryKey = ['generations'] as const

/** One's own selfies, or those with one star, page by page; deleting and bringing back one of them. */
export function useGallery(star: string | null = null) {
  'use memo'
  const m = useMessages('dashboard')
  const queryClient = useQueryClient()
  const { user, updateUser, refreshUser } = useAuth()
  // The server keeps it for a while; after that there is nothing to undo.
  const [deletedId, setDeletedId] = useNotice(deletionUndoMs)
  const { error, submit } = useSubmission(m.deleteFailed)
  const query = usePages([...galleryKey, star], (cursor, signal) =>
    call('GET /api/generations', { query: { cursor, star: star ?? undefined }, signal }),
  )
  const items = query.data?.pages.flatMap((page) => page.items) ?? []
  const remove = async ({ generationId }: GenerationItem): Promise<void> => {
    const path = 'DELETE /api/generations/:generationId'
    if (!(await submit(() => call(path, { params: { generationId } })))) return
    // The studio would ask for it at its next visit.
    if (restoreGeneratedImage(Date.now())?.generationId === generationId) forgetGeneratedImage()
    changePages(queryClient, (list) => list.filter((one) => one.generationId !== generationId))
    updateUser({ selfiesCreated: Math.max(0, (user?.selfiesCreated ?? 0) - 1) })
    setDeletedId(generationId)
  }
  const restore = async (generationId: string): Promise<void> => {
    setDeletedId(null)
    const path = 'POST /api/generations/:generationId/restore'
    const isBack = await submit(() => call(path, { params: { generationId } }), m.restoreFailed)
    if (!isBack) return setDeletedId(generationId)
    void refreshUser().catch(() => undefined)
    await queryClient.invalidateQueries({ queryKey: galleryKey })
  }
  return {
    query,
    items,
    /** With whom there are selfies, whoever is asked for. */
    stars: query.data?.pages[0]?.stars ?? [],
    total: query.data?.pages[0]?.total ?? items.length,
    error,
    deletedId,
    remove,
    restore,
    /** Takes over what became of one selfie, as when it got a public link. */
    changeItem: (changed: GenerationItem) =>
      changePages(queryClient, (list) =>
        list.map((one) => (one.generationId === changed.generationId ? changed : one)),
      ),
  }
}

const countOf = (pages: GenerationListAnswer[]) => pages.flatMap(({ items }) => items).length

type UpdateItems = (items: GenerationItem[]) => GenerationItem[]

function changePages(queryClient: QueryClient, update: UpdateItems): void {
  const filter = { queryKey: galleryKey }
  queryClient.setQueriesData<InfiniteData<GenerationListAnswer>>(filter, (data) => {
    if (!data) return data
    const pages = data.pages.map((page) => ({ ...page, items: update(page.items) }))
    const gone = countOf(data.pages) - countOf(pages)
    return { ...data, pages: pages.map((page) => ({ ...page, total: page.total - gone })) }
  })
}
