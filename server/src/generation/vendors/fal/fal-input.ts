import { photoDataUrl } from '../photo-data-url.ts'
import type { ImageRequest } from '../hosted-provider.ts'
import type { FalModel } from './fal-models.ts'

/**
 * The input of one fal model: prompt, all photos as `data:` addresses (user first), and only the
 * fields that the model is known to take.
 */
export function buildFalInput(model: FalModel, request: ImageRequest): Record<string, unknown> {
  const { shape, outputFormats, safety } = model
  return {
    prompt: request.prompt,
    image_urls: [request.userPhoto, ...request.starPhotos].map(photoDataUrl),
    ...(model.takesCount ? { num_images: 1 } : {}),
    ...(shape === undefined ? {} : { [shape.field]: shape.values[request.aspect] }),
    ...(outputFormats === undefined ? {} : { output_format: outputFormats[0] }),
    ...(safety === undefined ? {} : { [safety.field]: 'value' in safety ? safety.value : true }),
  }
}
