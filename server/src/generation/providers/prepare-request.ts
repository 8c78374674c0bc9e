import type { HostedProvider, ImageRequest } from '../vendors/hosted-provider.ts'
import type { NormalisedPhoto } from '@starside/engine/image-provider.ts'
import { buildPrompt } from '../vendors/prompt/build-prompt.ts'
import type { Context } from '../../context.ts'
import type { GenerationRow } from '../queries.ts'
import { readInput } from '../read-input.ts'

type Parts = Pick<Context, 'engine' | 'presets' | 'store'>

/**
 * What a hosted provider is asked for: the user's photo, the star's photo with its own background (a
 * cut-out would come back with a hard edge), and the prompt. Photos were normalised at the upload.
 */
export async function prepareRequest(
  parts: Parts,
  row: GenerationRow,
  provider: HostedProvider,
): Promise<ImageRequest> {
  const { presets } = parts
  const userPhoto = await readInput(parts, row.user_photo_key)
  const isPreset = row.preset_id !== null && presets.find(row.preset_id) !== undefined
  const starPhoto = isPreset
    ? await presets.readPortrait(row.preset_id ?? '')
    : await readInput(parts, row.star_photo_key)
  const { text } = buildPrompt({
    scene: row.scene ?? undefined,
    words: row.prompt ?? undefined,
    userPlace: await placeOf(parts, userPhoto, row.user_face_index),
    starPlace: isPreset ? undefined : await placeOf(parts, starPhoto, row.star_face_index),
    lengthMax: provider.promptLengthMax,
  })
  return { prompt: text, userPhoto, starPhoto, aspect: row.aspect }
}

/** Says in words which of several people is meant; undefined where there is nothing to choose. */
async function placeOf(
  parts: Parts,
  photo: NormalisedPhoto,
  faceIndex: number | null,
): Promise<string | undefined> {
  if (faceIndex === null) return undefined
  const { faces } = await parts.engine.inspect({ photo })
  const face = faces[faceIndex]
  if (face === undefined || faces.length < 2) return undefined
  const rank = faces.filter(({ x }) => x < face.x).length
  return `person number ${rank + 1} of ${faces.length} from the left`
}
