import { variationsMax } from '@starside/contract/limits.ts'
import type { GenerationStage } from '@starside/contract/scenes.ts'
import type { Selfie } from '@starside/engine/engine-calls.ts'
import { PhotoError } from '@starside/engine/photo/photo-error.ts'
import { PictureError } from '@starside/engine/photo/picture-error.ts'
import type { SelfieParts } from './parts.ts'
import type { RunningJob } from '../platform/jobs/job-queue.ts'
import { findRow } from '../platform/db/rows.ts'
import { AppError } from '../platform/errors/app-error.ts'
import { deleteInputs } from './delete-generation.ts'
import { completeGeneration, failGeneration } from './finish-generation.ts'
import { outputKeysOf } from './providers/attempts.ts'
import type { AttemptRow } from './providers/attempts.ts'
import { failAttempt } from './providers/end-attempt.ts'
import { finishHosted } from './providers/finish-hosted.ts'
import { LikenessError } from './likeness/judge-likeness.ts'
import { starsOf, userFacesOf } from './queries.ts'
import type { GenerationRow } from './queries.ts'
import { readInput } from './inputs.ts'
import { sceneSeedOf } from './selfie-marks.ts'
import { developWhole, finishing } from './variations/render-variation.ts'
import { storePictures, storeSheet } from './variations/store-sheet.ts'
import type { StoredSheet } from './variations/store-sheet.ts'
import { writeStage } from './generation-progress.ts'
import { fromNow } from '../platform/clock.ts'

/**
 * The job: makes the picture or finishes a hosted one, then captures the credit or gives it back; no
 * transaction is open meanwhile. A run that dies is repeated; the last failure gives the credit back.
 */
export async function runGeneration(
  parts: SelfieParts,
  generationId: string,
  job: Pick<RunningJob, 'isLastAttempt' | 'signal'>,
): Promise<void> {
  const row = await findRow(parts.database, 'generations', { id: generationId })
  if (row === undefined) return
  if (row.state !== 'running') {
    // An earlier try may have broken off between the commit and this.
    if (row.user_photo_key !== null) await deleteInputs(parts, row)
    return
  }
  // One whose picture waits to be finished; without one the compositor works, unless a model's turn has come.
  const fetched = { generation_id: generationId, state: 'fetched' } as const
  const attempt = await findRow(parts.database, 'generation_attempts', fetched)
  if (attempt === undefined && (row.provider ?? 'compositor') !== 'compositor') return
  try {
    if (attempt === undefined) {
      const sheet = await makeSheet(parts, row, job.signal)
      const about = { userId: row.user_id, generationId, signal: job.signal }
      const pictureHash = await parts.moderation.judgeResult(sheet.best, about)
      const best = { selfie: sheet.best, pictureHash }
      const stored = await storeSheet(parts, row.id, { ...sheet, best })
      await keepResult(parts, row, { stored, selfie: sheet.best })
    } else {
      const pictures = await finishHosted(parts, { row, attempt, signal: job.signal })
      const [best] = pictures
      // In its looks, as they are all that tells its variations apart.
      const developed = await developWhole(parts, row, best, pictures.length)
      const stored = await storePictures(parts, row.id, pictures, developed)
      await keepResult(parts, row, { stored, selfie: best.selfie, attempt })
    }
  } catch (error) {
    if (error instanceof PictureError && attempt !== undefined) {
      const detail = `its picture can’t be used: ${error.fault}`
      await failAttempt(parts, attempt.id, { kind: 'unknown', detail, maybeCharged: true })
      return
    }
    if (error instanceof LikenessError && attempt !== undefined) {
      const detail = error.message
      await failAttempt(parts, attempt.id, { kind: 'likeness_lost', detail, maybeCharged: true })
      return
    }
    const isPhotoRefused = error instanceof PhotoError || error instanceof AppError
    if (!isPhotoRefused && !job.isLastAttempt) throw error
    if (!isPhotoRefused) parts.log.error({ err: error, generationId }, 'a generation failed')
    await failGeneration(parts, row.id, isPhotoRefused ? error.code : 'generation_failed')
  }
  await deleteInputs(parts, row)
}

async function makeSheet(parts: SelfieParts, row: GenerationRow, signal: AbortSignal) {
  // Stages are written one after the other.
  let lastStage = Promise.resolve()
  const onStage = (stage: GenerationStage) => {
    lastStage = lastStage.then(() => writeStage(parts, row.id, stage))
  }
  try {
    const input = {
      ...(await readSelfieInput(parts, row)),
      ...(await finishing(parts, { generationId: row.id })),
      look: row.look,
      variationsMax,
      keepLayers: parts.config.layersMinutes > 0,
    }
    return await parts.engine.makeSheet(input, { signal, onStage })
  } finally {
    await lastStage
  }
}

async function keepResult(
  parts: SelfieParts,
  row: GenerationRow,
  result: { stored: StoredSheet; selfie: Selfie; attempt?: AttemptRow | undefined },
): Promise<void> {
  const { stored, attempt } = result
  const outcome = await completeGeneration(parts, row.id, {
    ...result,
    layersExpireAt: fromNow(parts, parts.config.layersMinutes * 60_000),
  })
  if (outcome === 'done') {
    const kept = attempt === undefined ? [] : outputKeysOf(attempt)
    await Promise.all(kept.map((key) => parts.store.delete(key)))
    return
  }
  await Promise.all(stored.objectKeys.map((key) => parts.store.delete(key)))
  if (outcome === 'hold_gone') await failGeneration(parts, row.id, 'generation_failed')
}

/** Photos and wishes of a generation, as the engine's compositor takes them. */
async function readSelfieInput(parts: Pick<SelfieParts, 'store'>, row: GenerationRow) {
  const userPhoto = await readInput(parts, row.user_photo_key)
  const stars = starsOf(row).map(async ({ presetId, photoKey, faceIndex }) => ({
    photo: await readInput(parts, photoKey),
    faceIndex: faceIndex ?? undefined,
    isPreset: presetId !== null,
  }))
  return {
    account: row.user_id,
    userPhoto,
    userFaceIndexes: userFacesOf(row),
    stars: await Promise.all(stars),
    backgroundPhoto: row.has_background_photo
      ? await readInput(parts, row.background_photo_key)
      : undefined,
    prompt: row.prompt ?? undefined,
    scene: row.scene ?? undefined,
    seed: sceneSeedOf(row.id),
    aspect: row.aspect,
    resolution: row.resolution,
  }
}
