import { photoDataUrl } from '../photo-data-url.ts'
import { photosOf } from '../hosted-provider.ts'
import type { ImageRequest } from '../hosted-provider.ts'
import type { ModelDescription } from '../models/model-description.ts'

/**
 * The input of one fal model: prompt, all photos as `data:` addresses (user first), and only the
 * fields that the model is known to take.
 */
export function buildFalInput(
  card: ModelDescription,
  request: ImageRequest,
): Record<string, unknown> {
  const { shape, outputFormat, safety } = card
  return {
    prompt: request.prompt,
    image_urls: photosOf(request).map(photoDataUrl),
    ...(card.takesCount === true ? { num_images: request.count } : {}),
    ...(shape === undefined ? {} : { [shape.field]: shape.values[request.aspect] }),
    ...(outputFormat === undefined ? {} : { output_format: outputFormat }),
    ...(safety === undefined ? {} : { [safety.field]: safety.value }),
    ...card.fields,
  }
}
