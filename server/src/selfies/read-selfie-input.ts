import type { Finishing, SelfieInput } from '@starside/engine/engine-calls.ts'
import type { SelfieParts } from './parts.ts'
import { userFacesOf } from './queries.ts'
import type { GenerationRow } from './queries.ts'
import { readInput } from './read-input.ts'
import { sceneSeedOf } from './scene-seed.ts'

/** Photos and wishes of a generation, as the engine's compositor takes them. */
export async function readSelfieInput(
  parts: Pick<SelfieParts, 'store'>,
  row: GenerationRow,
): Promise<Omit<SelfieInput, keyof Finishing>> {
  const userPhoto = await readInput(parts, row.user_photo_key)
  const starPhoto = await readInput(parts, row.star_photo_key)
  const secondPhoto =
    row.star_names === null ? undefined : await readInput(parts, row.second_star_photo_key)
  return {
    account: row.user_id,
    userPhoto,
    userFaceIndexes: userFacesOf(row),
    stars: [
      {
        photo: starPhoto,
        faceIndex: row.star_face_index ?? undefined,
        isPreset: row.preset_id !== null,
      },
      ...(secondPhoto === undefined
        ? []
        : [
            {
              photo: secondPhoto,
              faceIndex: row.second_star_face_index ?? undefined,
              isPreset: row.second_preset_id !== null,
            },
          ]),
    ],
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
