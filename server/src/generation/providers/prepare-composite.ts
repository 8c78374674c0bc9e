import { PhotoError } from '@starside/engine/photo/photo-error.ts'
import type { NormalisedPhoto } from '@starside/engine/image-provider.ts'
import type { GenerationRow } from '../queries.ts'
import { readSelfieInput } from '../read-selfie-input.ts'
import type { HostedProvider, ImageRequest } from '../vendors/hosted-provider.ts'
import { compositePrompt } from '../vendors/prompt/template.ts'
import type { AttemptParts } from './attempt-parts.ts'
import type { AttemptRow } from './attempt-queries.ts'
import { failAttempt } from './fail-attempt.ts'
import { fitPhotos } from './fit-photos.ts'
import { pictureCountOf } from './picture-count.ts'
import { readComposite } from './read-composite.ts'

/**
 * What a model is asked for that is to bring our composite into one light: the composite alone, which is
 * kept, so that its faces can be put back. Where these photos can't be put together, the next provider is asked
 * and the answer is undefined.
 */
export async function prepareComposite(
  parts: AttemptParts,
  row: GenerationRow,
  about: { attempt: AttemptRow; provider: HostedProvider; signal: AbortSignal },
): Promise<ImageRequest | undefined> {
  const { attempt, provider, signal } = about
  try {
    const composite =
      (await readComposite(parts, attempt)) ??
      (await makeComposite(parts, row, { attempt, signal }))
    return await fitPhotos(parts.engine, provider, {
      prompt: compositePrompt,
      userPhoto: composite,
      starPhotos: [],
      aspect: row.aspect,
      count: pictureCountOf(provider, parts.images.settings),
    })
  } catch (error) {
    if (!(error instanceof PhotoError)) throw error
    const detail = `no composite can be made: ${error.code}`
    const failure = { kind: 'bad_input', detail, maybeCharged: false, isSkipped: true } as const
    await failAttempt(parts, attempt.id, failure)
    return undefined
  }
}

async function makeComposite(
  parts: AttemptParts,
  row: GenerationRow,
  { attempt, signal }: { attempt: AttemptRow; signal: AbortSignal },
): Promise<NormalisedPhoto> {
  const input = await readSelfieInput(parts, row)
  const composite = await parts.engine.makeComposite(input, { signal })
  const { bytes, mediaType, widthPx, heightPx } = composite
  const name = parts.randomBytes(6).toString('hex')
  const key = `inputs/${row.id}/composite-${name}-${widthPx}x${heightPx}.jpg`
  await parts.store.put(key, bytes, mediaType)
  const kept = await parts.database
    .updateTable('generation_attempts')
    .set({ composite_key: key })
    .where('id', '=', attempt.id)
    .where('state', '=', 'granted')
    .returning('id')
    .executeTakeFirst()
  if (kept === undefined) await parts.store.delete(key)
  return composite
}
