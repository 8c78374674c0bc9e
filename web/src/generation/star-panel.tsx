import type { CelebrityPreset } from '@starside/contract/presets.ts'
import { fill } from '../ui/fill.ts'
import { useLanguage, useMessages } from '../ui/language.tsx'
import { lineOf } from './filter-stars.ts'
import { EmptyFrame, Frame } from './frame.tsx'
import { PhotoCheck } from './photo-check.tsx'
import { PhotoSource } from './photo-source.tsx'
import { PhotoView } from './photo-view.tsx'
import { StarPicture } from './star-picture.tsx'
import { StarShelf } from './star-shelf.tsx'
import type { usePhoto } from './use-photo.ts'
import type { Presets } from './use-presets.ts'

interface StarPanelProps {
  custom: ReturnType<typeof usePhoto>
  presets: Presets
  presetId: string | null
  /** True when the star was not chosen but came with a borrowed face. */
  suggested: boolean
  onPreset: (id: string | null) => void
  disabled: boolean
}

/** PERSON 2: a photo of one's own, or one of the preset stars. */
export function StarPanel(props: StarPanelProps) {
  'use memo'
  const { custom, presets, presetId, onPreset, disabled } = props
  const m = useMessages('dashboard')
  const stars = presets.state === 'ready' ? presets.list : []
  const star = stars.find((candidate) => candidate.id === presetId)
  const badge = custom.photo ? m.badgeCustom : star ? m.badgeStar : null
  const choose = (file: File): void => {
    onPreset(null)
    void custom.choose(file)
  }
  return (
    <Frame
      number="2"
      title={m.person2}
      badge={badge}
      {...(disabled ? {} : { onDropFile: choose })}
      picture={
        custom.photo ? (
          <PhotoView photo={custom.photo} alt={m.customPhotoAlt} onChooseFace={custom.chooseFace} />
        ) : star ? (
          <StarPicture star={star} alt={fill(m.starPhotoAlt, { name: star.name })} />
        ) : (
          <EmptyFrame>{m.dropStarHere}</EmptyFrame>
        )
      }
      more={
        <>
          {star ? <StarCaption star={star} suggested={props.suggested} /> : null}
          {custom.photo ? null : (
            <div className="grid grid-cols-[minmax(0,1fr)] gap-3">
              <p id="presets-label" className="edge-print text-ash">
                {m.orChoosePreset}
              </p>
              {presets.state === 'loading' ? <p role="status">{m.presetsLoading}</p> : null}
              {presets.state === 'failed' ? (
                <p role="alert">
                  {m.presetsFailed}{' '}
                  <button type="button" className="text-link" onClick={presets.retry}>
                    {m.tryAgain}
                  </button>
                </p>
              ) : (
                <StarShelf
                  stars={stars}
                  nextCursor={presets.state === 'ready' ? presets.nextCursor : null}
                  presetId={presetId}
                  disabled={disabled}
                  onPreset={onPreset}
                />
              )}
            </div>
          )}
        </>
      }
    >
      <PhotoSource
        label={custom.photo ? m.changePhoto : m.uploadPhoto}
        person={m.person2}
        facing="environment"
        disabled={disabled}
        onFile={choose}
      >
        {custom.photo || star ? (
          <button
            type="button"
            className="button button-film"
            disabled={disabled}
            onClick={() => {
              custom.clear()
              onPreset(null)
            }}
          >
            {m.clearSelection}
          </button>
        ) : null}
      </PhotoSource>
      {custom.photo ? <PhotoCheck photo={custom.photo} /> : null}
    </Frame>
  )
}

/** Who the chosen star is, and whose picture it is. */
function StarCaption({ star, suggested }: { star: CelebrityPreset; suggested: boolean }) {
  const m = useMessages('dashboard')
  const { language } = useLanguage()
  return (
    <div className="grid gap-1">
      <p className="font-semibold">{star.name}</p>
      {star.line ? <p>{lineOf(star, language)}</p> : null}
      <p className="text-sm text-ash">
        {star.attribution} {star.licence}
      </p>
      <p role="status" className="empty:hidden">
        {suggested ? m.starSuggested : ''}
      </p>
    </div>
  )
}
