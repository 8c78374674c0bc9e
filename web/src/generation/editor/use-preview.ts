import { useEffect, useState } from 'react'
import type { Arrangement } from '@starside/contract/arrangement.ts'
import type { PreviewAnswer } from '@starside/contract/variations.ts'
import { call } from '../../api/call.ts'
import { decodeImage } from '../../ui/decode-image.ts'
import { wait } from '../../ui/wait.ts'
import type { PictureParts } from './draw-parts.ts'

/** Somebody who moves on is asked for once they pause, and sharply once they rest. */
const pauseMs = { small: 120, large: 500 }

/** The server's picture of an arrangement, and what it is drawn of. */
export interface Preview extends PictureParts, Pick<PreviewAnswer, 'visibleBorder' | 'mended'> {
  arrangement: Arrangement
  isLarge: boolean
  /** Its address. */
  image: string
}

/** The server's picture of an arrangement, asked for once `isMoving` is over; until it comes the one before stays. After a `failure` only `tryAgain` asks. */
export function usePreview(
  generationId: string,
  arrangement: Arrangement,
  { isMoving, size }: { isMoving: boolean; size: 'small' | 'large' | 'both' },
) {
  const [preview, setPreview] = useState<Preview | null>(null)
  const [failure, setFailure] = useState<{ arrangement: Arrangement; error: unknown } | null>(null)
  const hasFailed = failure?.arrangement === arrangement
  const isCurrent = preview?.arrangement === arrangement
  const isSharpened = size === 'both' && isCurrent
  const isLarge = size === 'large' || isSharpened
  const isWaiting = isMoving || hasFailed || (isCurrent && (preview.isLarge || !isLarge))
  const withPeople = !preview || lightOf(preview.arrangement) !== lightOf(arrangement)
  useEffect(() => {
    if (isWaiting) return
    const controller = new AbortController()
    const { signal } = controller
    const ask = async (): Promise<void> => {
      await wait(pauseMs[isSharpened ? 'large' : 'small'], signal)
      const path = 'POST /api/generations/:generationId/preview'
      const body = { arrangement, withPeople, isLarge }
      const answer = await call(path, { params: { generationId }, body, signal })
      const { background: backdrop, people } = answer
      const [background, ...images] = await Promise.all([
        decodeImage(`data:image/jpeg;base64,${backdrop}`),
        ...(people ?? []).map(({ image }) => decodeImage(`data:image/webp;base64,${image}`)),
      ])
      if (signal.aborted) return
      const sent = people?.map((person, n) => ({ ...person, image: images[n]! }))
      const image = `data:image/jpeg;base64,${answer.image}`
      const drawn = { ...answer, arrangement, isLarge, image, background }
      setPreview((before) => ({ ...drawn, people: sent ?? before?.people ?? [] }))
    }
    ask().catch(
      (error: unknown) => signal.aborted || isSharpened || setFailure({ arrangement, error }),
    )
    return () => controller.abort()
  }, [generationId, arrangement, isWaiting, withPeople, isLarge, isSharpened])
  const tryAgain = () => setFailure(null)
  return { preview, failure: hasFailed ? failure.error : null, tryAgain, isCurrent }
}

function lightOf({ scene, look, warmth, brightness, contrast, subjects }: Arrangement): string {
  const own = subjects.map((subject) => [subject.warmth, subject.brightness])
  return JSON.stringify([scene, look, warmth, brightness, contrast, own])
}
