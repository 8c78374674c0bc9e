import { asPlanned } from '../../arrangement.ts'
import type { Arrangement } from '../../arrangement.ts'
import type { GenerateRequest } from '../../image-provider.ts'
import { pictureSizes } from '../../picture-sizes.ts'
import { sceneOfWords } from '@starside/contract/scene-of-words.ts'
import type { Layout } from '../layout/layout.ts'
import { arrangedSubjects } from '../layout/place-arrangement.ts'
import type { ReadResult } from '../thread-messages.ts'

/** The arrangement of the picture that a request asks for. */
export function bestArrangement(
  { aspect, resolution, scene, prompt, userPhoto, backgroundPhoto }: GenerateRequest,
  subjects: readonly ReadResult[],
  layout: Layout,
): Arrangement {
  const [width, height] = pictureSizes[aspect][resolution]
  const chosen = backgroundPhoto ? 'own' : (scene ?? sceneOfWords(prompt ?? '') ?? 'own')
  const isEmpty = userPhoto.hasMatte && !backgroundPhoto
  return {
    ...asPlanned,
    aspect,
    scene: chosen === 'own' && isEmpty ? 'studio' : chosen,
    subjects: arrangedSubjects(
      subjects.map((subject) => ({ ...subject, mirrored: false })),
      layout,
      width,
      height,
    ),
    frontToBack: [...layout.frontToBack],
  }
}
