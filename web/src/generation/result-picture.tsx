import { useMessages } from '../ui/language.tsx'
import { PencilFrame } from '../ui/pencil.tsx'
import { Compare } from './compare.tsx'
import type { GeneratedPicture } from './generator-state.ts'
import { starTexts } from './star-texts.ts'

interface ResultPictureProps {
  picture: GeneratedPicture
  /** The user's photo to lay over the picture; null to show the picture alone. */
  before: string | null
  /** The picture's address no longer works. */
  onGone: () => void
}

/** The finished picture, or the photo and the picture with a slider between them. */
export function ResultPicture({ picture, before, onGone }: ResultPictureProps) {
  const m = useMessages('dashboard')
  const { imageUrl, item, fresh } = picture
  const { alt } = starTexts(item?.celebrities, m)
  if (before) {
    return <Compare before={before} after={imageUrl} beforeAlt={m.yourPhotoAlt} afterAlt={alt} />
  }
  return (
    <div className="relative">
      <img
        key={imageUrl}
        src={imageUrl}
        alt={alt}
        width={item?.widthPx ?? 1024}
        height={item?.heightPx ?? 1280}
        className={`block h-auto w-full ${fresh ? 'appears' : ''}`}
        onError={onGone}
      />
      {fresh ? (
        <PencilFrame className="-inset-1.5 h-[calc(100%+0.75rem)] w-[calc(100%+0.75rem)]" />
      ) : null}
    </div>
  )
}
