import { PictureError } from '@starside/engine/photo/picture-error.ts'
import type { LikenessJudge, ToFinish } from '../likeness/judge-likeness.ts'
import type { SelfieParts } from '../parts.ts'
import { AppError } from '../../platform/errors/app-error.ts'
import { keepLikeness, openLikenessJudge, LikenessError } from '../likeness/judge-likeness.ts'
import { userFacesOf } from '../queries.ts'
import { finishing } from '../variations/render-variation.ts'
import type { JudgedPicture } from '../variations/store-sheet.ts'
import { writeStage } from '../generation-progress.ts'
import { outputKeysOf } from './attempts.ts'

interface ComparedPicture extends JudgedPicture {
  likeness: number | undefined
}

/**
 * Finishes an attempt's pictures, those with the most alike people first; only the engine's
 * process decodes them. One that can't be used, shows a stranger or is refused is left out;
 * where none is left, throws the first one's `PictureError`, `LikenessError` or `AppError`.
 */
export async function finishHosted(
  parts: SelfieParts,
  about: ToFinish,
): Promise<[ComparedPicture, ...ComparedPicture[]]> {
  const { attempt, signal } = about
  await writeStage(parts, attempt.generation_id, 'finish')
  const judge = openLikenessJudge(parts, about)
  const passed: ComparedPicture[] = []
  const errors: (PictureError | LikenessError | AppError)[] = []
  for (const key of outputKeysOf(attempt)) {
    signal.throwIfAborted()
    try {
      passed.push(await finishOne(parts, { ...about, key, judge }))
    } catch (error) {
      if (!isFault(error)) throw error
      errors.push(error)
      parts.log.info({ attemptId: attempt.id, err: error }, 'a hosted picture is left out')
    }
  }
  const [best, ...others] = passed.toSorted(
    (one, other) => (other.likeness ?? 0) - (one.likeness ?? 0),
  )
  if (best === undefined) {
    const alike = errors.flatMap((error) => (error instanceof LikenessError ? error.likeness : []))
    if (alike.length > 0) await keepLikeness(parts, attempt, Math.max(...alike))
    throw errors[0] ?? new Error(`the pictures of attempt ${attempt.id} are gone`)
  }
  await keepLikeness(parts, attempt, best.likeness)
  return [best, ...others]
}

/** What is wrong with one picture, in contrast to what is wrong with us. */
function isFault(error: unknown): error is PictureError | LikenessError | AppError {
  return (
    error instanceof PictureError || error instanceof LikenessError || error instanceof AppError
  )
}

async function finishOne(
  parts: SelfieParts,
  { row, attempt, signal, key, judge }: ToFinish & { key: string; judge: LikenessJudge },
): Promise<ComparedPicture> {
  const bytes = await parts.store.get(key)
  if (bytes === undefined) throw new Error(`the picture ${key} is gone`)
  const { faces, ...selfie } = await parts.engine.finishProviderPicture(
    {
      bytes,
      mayHaveOthers: row.has_background_photo,
      headCount: (userFacesOf(row)?.length ?? 1) + (row.star_names?.length ?? 1),
      ...(await finishing(parts, { generationId: row.id })),
      provider: attempt.provider,
      model: attempt.model,
    },
    { signal },
  )
  const likeness = await judge.measure(faces)
  if (likeness !== undefined && likeness < judge.likenessMin) {
    throw new LikenessError(likeness, judge.likenessMin)
  }
  const about = { userId: row.user_id, generationId: row.id, signal }
  return { selfie, pictureHash: await parts.moderation.judgeResult(selfie, about), likeness }
}
