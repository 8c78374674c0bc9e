import { useMessages } from '../ui/language.tsx'
import { FilmButton } from './film-button.tsx'
import { PhotoCheck } from './photo-check.tsx'
import { PhotoSource } from './photo-source.tsx'
import { usePhotoAddress, type ChosenPhoto, type usePhoto } from './use-photo.ts'

/** The picture of the tile for a background of one's own: the photo, else a sign to add one. */
export function BackgroundTile({ photo }: { photo: ChosenPhoto | null }) {
  const address = usePhotoAddress(photo)
  if (address) {
    return <img src={address} alt="" className="block aspect-4/5 h-auto w-full object-cover" />
  }
  return (
    <span
      aria-hidden="true"
      className="grid aspect-4/5 place-items-center border-2 border-dashed border-current text-3xl text-grey"
    >
      +
    </span>
  )
}

interface BackgroundPanelProps {
  background: ReturnType<typeof usePhoto>
  disabled: boolean
  onRemove: () => void
}

/** Where a photo of the place comes in, and what the photo check says of it. */
export function BackgroundPanel({ background, disabled, onRemove }: BackgroundPanelProps) {
  const m = useMessages('dashboard')
  const { photo } = background
  const address = usePhotoAddress(photo)
  return (
    <section aria-label={m.ownBackground} className="on-film grid gap-3 bg-film p-4 text-bone">
      {!photo ? (
        <p>{m.ownBackgroundHint}</p>
      ) : !photo.prepared ? (
        <p role="status">{m.preparing}</p>
      ) : photo.prepared.readable ? (
        <img
          src={address ?? undefined}
          alt={m.ownBackgroundAlt}
          width={photo.prepared.widthPx ?? undefined}
          height={photo.prepared.heightPx ?? undefined}
          className="block h-auto max-h-60 w-auto max-w-full object-contain"
        />
      ) : (
        <p>
          <span className="font-mono text-sm break-all">{photo.prepared.file.name}</span>{' '}
          {m.failedToLoadImage}
        </p>
      )}
      <PhotoSource
        label={photo ? m.changePhoto : m.uploadPhoto}
        person={m.ownBackgroundTitle}
        facing="environment"
        disabled={disabled}
        onFile={(file) => void background.choose(file)}
      >
        {photo ? (
          <FilmButton disabled={disabled} onClick={onRemove}>
            {m.removeBackground}
          </FilmButton>
        ) : null}
      </PhotoSource>
      {photo ? <PhotoCheck photo={photo} praise={m.backgroundGood} /> : null}
    </section>
  )
}
