import { useState } from 'react'
import { useQueryClient } from '@tanstack/react-query'
import type { GenerationItem } from '@starside/contract/generation.ts'
import { deletionUndoMs } from '@starside/contract/limits.ts'
import { call, ApiError } from '../api/call.ts'
import { useNotice } from '../ui/use-notice.ts'
import { useSubmission } from '../ui/error-sentence.ts'
import { changeInGallery } from './use-gallery.ts'

/** Failures that tell that the selfie is no longer as it is shown: another tab may have changed it. */
const outdatedCodes = [
  'variation_unknown',
  'variation_chosen',
  'more_variations_made',
  'layers_expired',
]

/**
 * Choosing among the variations of one selfie, asking for others, deleting some and bringing them back.
 * @param item null while its details are not known: there is nothing to choose then
 */
export function useVariations(
  item: GenerationItem | null,
  { onItem, fallback }: { onItem: (item: GenerationItem) => void; fallback: string },
) {
  const queryClient = useQueryClient()
  const { busy, error, submit } = useSubmission(fallback)
  /** The one that is being made at full size. */
  const [pendingId, setPendingId] = useState<string | null>(null)
  /** The one that was deleted last, while it can be brought back. */
  const [deletedId, setDeletedId] = useNotice(deletionUndoMs)
  const generationId = item?.generationId ?? ''
  const params = { generationId }
  const take = (changed: GenerationItem): void => {
    changeInGallery(queryClient, changed)
    onItem(changed)
  }
  /** Takes over the selfie that a call answers; as it is now where a failure says that it has changed. */
  const act = (work: () => Promise<{ generation: GenerationItem }>) =>
    submit(async () => {
      try {
        take((await work()).generation)
      } catch (failure) {
        if (failure instanceof ApiError && outdatedCodes.includes(failure.code)) {
          take((await call('GET /api/generations/:generationId', { params })).generation)
        }
        throw failure
      }
    })
  const choose = async (variationId: string): Promise<void> => {
    setPendingId(variationId)
    const body = { variationId }
    await act(() => call('PUT /api/generations/:generationId/chosen', { params, body }))
    setPendingId(null)
  }
  const askForOthers = () =>
    act(() => call('POST /api/generations/:generationId/variations/more', { params }))
  const remove = async (variationId: string): Promise<void> => {
    const path = 'DELETE /api/generations/:generationId/variations/:variationId'
    const isGone = await act(() => call(path, { params: { generationId, variationId } }))
    if (isGone) setDeletedId(variationId)
  }
  const restore = async (variationId: string): Promise<void> => {
    const path = 'POST /api/generations/:generationId/variations/:variationId/restore'
    const isBack = await act(() => call(path, { params: { generationId, variationId } }))
    if (isBack) setDeletedId(null)
  }
  const deleteLayers = () =>
    submit(async () => {
      await call('DELETE /api/generations/:generationId/layers', { params })
      if (item) take({ ...item, adjustableUntil: null, hasMoreVariations: false })
    })
  const acts = { take, choose, askForOthers, remove, restore, deleteLayers }
  return { busy, error, pendingId, deletedId, ...acts }
}
