import { generationPriceCredits, headsMax } from '@starside/contract/limits.ts'
import type { PrepareInput } from '@starside/contract/generation.ts'
import type { EngineInput } from '@starside/engine/engine-calls.ts'
import type { SelfieParts } from './parts.ts'
import { readAccount } from '../ledger/credits/account.ts'
import { AppError } from '../platform/errors/app-error.ts'
import { makesPicturesHere } from './prepare-photos.ts'

type Parts = Pick<SelfieParts, 'config' | 'database' | 'engine' | 'images' | 'presets'>
type Star = EngineInput<'prepare'>['stars'][number]

/**
 * Has the engine cut the people of a likely selfie out before it is asked for. It grants nothing: the
 * engine knows only photos that this account has sent, and a selfie that finds nothing prepared is the
 * same. For who can't pay for the selfie nothing is done.
 * @returns whether the engine has begun
 */
export async function prepareSelfie(
  parts: Parts,
  userId: string,
  { userPhoto, userFaces, stars, aspect = '4:5' }: PrepareInput,
): Promise<boolean> {
  const chosen = await Promise.all(stars.map((star) => findStar(parts, star)))
  if (!makesPicturesHere(parts)) return false
  const faceIndexes = userFaces && [...new Set(userFaces)].toSorted((one, other) => one - other)
  if ((faceIndexes?.length ?? 1) + stars.length > headsMax) return false
  const { balance, isPremium } = await readAccount(parts.database, userId)
  if (balance < generationPriceCredits) return false
  const { isBegun } = await parts.engine.prepare({
    account: userId,
    user: { digest: userPhoto, faceIndexes },
    stars: chosen,
    aspect,
    resolution: isPremium ? 'high' : 'standard',
  })
  return isBegun
}

/** A star as `readSelfieInput` will give it to the engine. */
async function findStar(
  { presets }: Pick<Parts, 'presets'>,
  star: PrepareInput['stars'][number],
): Promise<Star> {
  if ('photo' in star) {
    const { photo: digest, faceIndex } = star
    return { digest, faceIndexes: faceIndex === undefined ? undefined : [faceIndex] }
  }
  const { presetId } = star
  if (presets.find(presetId) === undefined) throw new AppError('preset_unknown')
  const photo = await presets.readPhoto(presetId)
  return { photo, isPreset: true }
}
