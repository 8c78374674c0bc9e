import type { Behaviour } from './behaviour.ts'

export interface QueuedRequest {
  requestId: string
  /** The whole endpoint id, such as `fal-ai/nano-banana/edit`. */
  model: string
  input: Record<string, unknown>
  webhookUrl: string | undefined
  behaviour: Behaviour
  acceptedAtMs: number
  isCancelled: boolean
  polls: number
  downloads: number
  /** The receiver's answers to the webhooks of this request; 0 when none came. */
  webhookAnswers: number[]
  picture: Promise<Buffer>
}

/** Where a request stands at a time. */
export function requestStatus(
  queued: QueuedRequest,
  nowMs: number,
): 'IN_QUEUE' | 'IN_PROGRESS' | 'COMPLETED' {
  const { behaviour } = queued
  const ageMs = nowMs - queued.acceptedAtMs
  if (ageMs < behaviour.queueMs) return 'IN_QUEUE'
  if (behaviour.end === 'never' || ageMs < behaviour.queueMs + behaviour.workMs) {
    return 'IN_PROGRESS'
  }
  return 'COMPLETED'
}

/** What the model answers, as the result's status and body. */
export function requestResult(
  queued: QueuedRequest,
  fileUrl: string,
): { status: number; body: object } {
  const refusal = (type: string, msg: string) => ({
    status: 422,
    body: { detail: [{ loc: ['body'], msg, type, url: 'https://docs.fal.ai/errors' }] },
  })
  switch (queued.behaviour.end) {
    case 'policy':
      return refusal('content_policy_violation', 'The content was flagged by a content checker.')
    case 'no_media':
      return refusal('no_media_generated', 'The model did not generate any media.')
    case 'bad_input':
      return refusal('image_too_small', 'The image is too small.')
    case 'timeout':
      return {
        status: 504,
        body: { detail: 'Generation timed out', error_type: 'request_timeout' },
      }
    case 'failure':
      return {
        status: 500,
        body: { detail: 'Internal Server Error', error_type: 'internal_error' },
      }
    case 'empty':
      return { status: 200, body: { images: [], description: '' } }
    case 'picture':
    case 'flagged':
    case 'never':
      return { status: 200, body: pictureBody(queued, fileUrl) }
  }
}

function pictureBody(queued: QueuedRequest, fileUrl: string): object {
  const image = {
    url: fileUrl,
    content_type: 'image/jpeg',
    file_name: 'output.jpeg',
    file_size: null,
    width: 1024,
    height: 1280,
  }
  const asked = Number(queued.input['num_images'] ?? 1)
  const count = { asked, more: asked + 2, fewer: 1 }[queued.behaviour.count]
  const images = Array.from({ length: count }, () => image)
  const isFlagged = queued.behaviour.end === 'flagged'
  return { images, seed: 7, ...(isFlagged ? { has_nsfw_concepts: images.map(() => true) } : {}) }
}
