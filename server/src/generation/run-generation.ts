import type { GenerationStage } from '@starside/contract/scenes.ts'
import type { NormalisedPhoto } from '@starside/engine/image-provider.ts'
import type { Selfie } from '@starside/engine/engine.ts'
import { PhotoError } from '@starside/engine/photo/photo-error.ts'
import type { Context } from '../context.ts'
import type { RunningJob } from '../jobs/job-queue.ts'
import { systemVersion } from '../system-version.ts'
import { AppError } from '../http/app-error.ts'
import { deleteInputs } from './delete-objects.ts'
import { completeGeneration, failGeneration, generationTopic } from './finish-generation.ts'
import type { PictureKeys } from './finish-generation.ts'
import { photoFromInput } from './input-key.ts'
import { judgeResult } from './judge-pictures.ts'
import { findGeneration } from './queries.ts'
import type { GenerationRow } from './queries.ts'

/**
 * The job: makes the picture and settles the credit. No transaction is open while the engine
 * works. A run that dies is repeated by the queue; the last failure gives the credit back.
 */
export async function runGeneration(
  context: Context,
  generationId: string,
  job: Pick<RunningJob, 'isLastAttempt' | 'signal'>,
): Promise<void> {
  const row = await findGeneration(context.database, generationId)
  if (row === undefined || row.state !== 'running') return
  try {
    const selfie = await makeSelfie(context, row, job.signal)
    const pictureHash = await judgeResult(context, selfie, {
      userId: row.user_id,
      generationId,
      signal: job.signal,
    })
    await book(context, row, selfie, pictureHash)
  } catch (error) {
    const isPhotoRefused = error instanceof PhotoError || error instanceof AppError
    if (!isPhotoRefused && !job.isLastAttempt) throw error
    if (!isPhotoRefused) context.log.error({ err: error, generationId }, 'a generation failed')
    await failGeneration(context, row.id, isPhotoRefused ? error.code : 'generation_failed')
  }
  await deleteInputs(context, row)
}

async function makeSelfie(
  context: Context,
  row: GenerationRow,
  signal: AbortSignal,
): Promise<Selfie> {
  const userPhoto = await readInput(context, row.user_photo_key)
  const starPhoto = await readInput(context, row.star_photo_key)
  const stages = createStageWriter(context, row.id)
  try {
    return await context.engine.makeSelfie({
      userPhoto,
      starPhoto,
      userFaceIndex: row.user_face_index ?? undefined,
      starFaceIndex: row.star_face_index ?? undefined,
      prompt: row.prompt ?? undefined,
      scene: row.scene ?? undefined,
      aspect: row.aspect,
      resolution: row.resolution,
      watermarkText: context.config.publicHost,
      systemVersion,
      signal,
      onStage: stages.write,
    })
  } finally {
    await stages.settled()
  }
}

async function readInput(context: Context, key: string | null): Promise<NormalisedPhoto> {
  const bytes = key === null ? undefined : await context.store.get(key)
  if (key === null || bytes === undefined) throw new Error(`the input ${key ?? '(none)'} is gone`)
  return photoFromInput(key, bytes)
}

/** Writes stages one after the other; a stage that can't be written spoils no picture. */
function createStageWriter(context: Context, generationId: string) {
  let last = Promise.resolve()
  return {
    write(stage: GenerationStage) {
      last = last
        .then(() => writeStage(context, generationId, stage))
        .catch((error: unknown) => {
          context.log.warn({ err: error, generationId }, 'a stage could not be written')
        })
    },
    settled: () => last,
  }
}

async function writeStage(context: Context, generationId: string, stage: GenerationStage) {
  await context.database
    .updateTable('generations')
    .set({ stage })
    .where('id', '=', generationId)
    .where('state', '=', 'running')
    .execute()
  await context.doorbell.ring(generationTopic(generationId))
}

async function book(
  context: Context,
  row: GenerationRow,
  selfie: Selfie,
  pictureHash: string,
): Promise<void> {
  const keys = await storePictures(context, row.id, selfie)
  const outcome = await completeGeneration(context, row.id, { keys, selfie, pictureHash })
  if (outcome === 'done') return
  await Promise.all(Object.values(keys).map((key: string) => context.store.delete(key)))
  if (outcome === 'hold_gone') await failGeneration(context, row.id, 'generation_failed')
}

/** Every attempt has keys of its own, so that two attempts never overwrite each other. */
async function storePictures(
  context: Context,
  generationId: string,
  selfie: Selfie,
): Promise<PictureKeys> {
  const attempt = context.randomBytes(6).toString('hex')
  const put = async (name: string, bytes: Uint8Array) => {
    const key = `pictures/${generationId}/${attempt}-${name}.jpg`
    await context.store.put(key, bytes, 'image/jpeg')
    return key
  }
  return {
    clean: await put('clean', selfie.clean),
    watermarked: await put('watermarked', selfie.watermarked),
    cleanThumbnail: await put('clean-thumbnail', selfie.cleanThumbnail),
    watermarkedThumbnail: await put('watermarked-thumbnail', selfie.watermarkedThumbnail),
  }
}
