import type { variationRoutes } from '@starside/contract/routes/variation-routes.ts'
import type { SignedInUser } from '../../accounts/auth/session.ts'
import type { SelfieParts } from '../parts.ts'
import { forgetPhotos } from '../../accounts/forget-photos.ts'
import { createFairQueue } from '../../platform/http/fair-queue.ts'
import type { RouteHandlers } from '../../platform/http/serve-routes.ts'
import { changeOwnGeneration, ownGenerationOf } from '../own-generation.ts'
import type { ReadPng } from '../picture-png.ts'
import { servePicture } from '../serve-picture.ts'
import { addVariation } from './add-variation.ts'
import { chooseVariation } from './choose-variation.ts'
import { deleteOwnLayers } from './delete-layers.ts'
import { deleteVariation, restoreVariation } from './delete-variation.ts'
import { makeMore } from './make-more.ts'
import { previewVariation } from './show-layers.ts'

/** How long a call may wait for its place and for the engine. */
const waitMs = 60_000

/** The calls on a picture's variations and layers. */
export function handleVariations(context: SelfieParts, { readPng }: { readPng: ReadPng }) {
  const work = createFairQueue({
    atOnceMax: 2,
    atOncePerCallerMax: 1,
    waitingMax: 200,
    waitingPerCallerMax: 8,
  })
  const run = <Result>(userId: string, task: () => Promise<Result>) =>
    work.run(userId, task, AbortSignal.timeout(waitMs))
  return {
    'POST /api/generations/:generationId/variations': async (call) =>
      changeOwnGeneration(context, call, async (own) => {
        const { guest } = call.user
        if (guest) await context.guestRules.admitScene(guest, call.body.arrangement.scene)
        await run(own.userId, () => addVariation(context, own, call.body.arrangement))
      }),
    'POST /api/generations/:generationId/variations/more': async (call) =>
      changeOwnGeneration(context, call, (own) => run(own.userId, () => makeMore(context, own))),
    'POST /api/generations/:generationId/preview': async (call) => {
      const own = ownGenerationOf(call)
      return run(own.userId, () => previewVariation(context, own, call.body))
    },
    'PUT /api/generations/:generationId/chosen': async (call) =>
      changeOwnGeneration(context, call, (own) =>
        run(own.userId, () => chooseVariation(context, own, call.body.variationId)),
      ),
    'DELETE /api/generations/:generationId/variations/:variationId': async (call) =>
      changeOwnGeneration(context, call, (own) =>
        deleteVariation(context, own, call.params.variationId),
      ),
    'POST /api/generations/:generationId/variations/:variationId/restore': async (call) =>
      changeOwnGeneration(context, call, (own) =>
        restoreVariation(context, own, call.params.variationId),
      ),
    'DELETE /api/generations/:generationId/layers': async (call) => {
      const own = ownGenerationOf(call)
      await deleteOwnLayers(context, own)
      forgetPhotos(context, own.userId)
      return { success: true }
    },
    'GET /api/pictures/:generationId/variations/:variationId/:file': async ({
      params,
      query,
      reply,
    }) => servePicture({ ...context, readPng }, reply, { ...params, ...query }),
  } satisfies RouteHandlers<typeof variationRoutes, SignedInUser>
}
