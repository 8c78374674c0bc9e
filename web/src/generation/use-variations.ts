import { useState } from 'react'
import { useQueryClient } from '@tanstack/react-query'
import type { GenerationItem } from '@starside/contract/generation.ts'
import { call } from '../api/call.ts'
import { useSubmission } from '../ui/use-submission.ts'
import { changeInGallery } from './use-gallery.ts'

/** Choosing among the variations of one selfie, asking for others, and throwing some away. */
export function useVariations(
  item: GenerationItem,
  { onItem, fallback }: { onItem: (item: GenerationItem) => void; fallback: string },
) {
  const queryClient = useQueryClient()
  const { busy, error, submit } = useSubmission(fallback)
  /** The one that is being made at full size. */
  const [pendingId, setPendingId] = useState<string | null>(null)
  const { generationId } = item
  const params = { generationId }
  const take = (changed: GenerationItem): void => {
    changeInGallery(queryClient, changed)
    onItem(changed)
  }
  const choose = async (variationId: string): Promise<void> => {
    setPendingId(variationId)
    await submit(async () => {
      const body = { variationId }
      const answer = await call('PUT /api/generations/:generationId/chosen', { params, body })
      take(answer.generation)
    })
    setPendingId(null)
  }
  const askForOthers = () =>
    submit(async () => {
      const answer = await call('POST /api/generations/:generationId/variations/more', { params })
      take(answer.generation)
    })
  const remove = (variationId: string) =>
    submit(async () => {
      const path = 'DELETE /api/generations/:generationId/variations/:variationId'
      take((await call(path, { params: { generationId, variationId } })).generation)
    })
  const deleteLayers = () =>
    submit(async () => {
      await call('DELETE /api/generations/:generationId/layers', { params })
      take({ ...item, adjustableUntil: null, hasMoreVariations: false })
    })
  return { busy, error, pendingId, take, choose, askForOthers, remove, deleteLayers }
}
