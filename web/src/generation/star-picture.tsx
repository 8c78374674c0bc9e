import { useState } from 'react'
import type { CelebrityPreset } from '@starside/contract/presets.ts'
import { useMessages } from '../ui/language.tsx'

/** Stands in for a preset without a picture. */
export const defaultStarImage = '/default-star.svg'

interface StarPictureProps {
  star: Pick<CelebrityPreset, 'name' | 'image' | 'thumbnail'>
  alt: string
  /** The small square picture of the shelf instead of the whole one. */
  small?: boolean
}

/** A preset star's picture, or the name with 'Image unavailable' where the picture does not load. */
export function StarPicture({ star, alt, small = false }: StarPictureProps) {
  const m = useMessages('dashboard')
  const [failed, setFailed] = useState<string | null>(null)
  const source = (small && star.thumbnail.jpeg) || star.image || defaultStarImage
  const shape = small ? 'aspect-square' : 'aspect-4/5'
  if (failed === source) {
    return (
      <span
        className={`grid place-content-center border border-ash/45 p-1 text-center text-sm ${shape}`}
      >
        <b className="font-semibold">{star.name}</b>
        {m.imageUnavailable}
      </span>
    )
  }
  return (
    <picture>
      {small && star.thumbnail.avif ? (
        <source type="image/avif" srcSet={star.thumbnail.avif} />
      ) : null}
      <img
        src={source}
        alt={alt}
        width={320}
        height={small ? 320 : 400}
        loading={small ? 'lazy' : 'eager'}
        className={`block h-auto w-full object-cover object-top ${shape}`}
        onError={() => setFailed(source)}
      />
    </picture>
  )
}
