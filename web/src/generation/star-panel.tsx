import { useId, type ReactNode, type Ref } from 'react'
import type { CelebrityPreset } from '@starside/contract/presets.ts'
import { fill } from '@starside/contract/fill.ts'
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
  ref?: Ref<HTMLElement>
  /** Which step it is, and what it is called: PERSON 2, or PERSON 3 for a second star. */
  number: '2' | '3'
  title: string
  custom: ReturnType<typeof usePhoto>
  presets: Presets
  /** The star of the other panel, who can't be chosen here too. */
  takenId?: string | null
  presetId: string | null
  /** True when the star was not chosen but came with a borrowed face. */
  suggested: boolean
  onPreset: (id: string | null) => void
  disabled: boolean
  /** More buttons below. */
  children?: ReactNode
}

/** One star: a photo of one's own, or one of the preset stars. */
export function StarPanel({ ref, ...props }: StarPanelProps) {
  'use memo'
  const { custom, presets, presetId, takenId = null, onPreset, disabled } = props
  const m = useMessages('dashboard')
  const inputId = useId()
  const stars = presets.state === 'ready' ? presets.list.filter(({ id }) => id !== takenId) : []
  const star = stars.find((candidate) => candidate.id === presetId)
  const badge = custom.photo ? m.badgeCustom : star ? m.badgeStar : null
  const choose = (file: File): void => {
    onPreset(null)
    void custom.choose(file)
  }
  return (
    <Frame
      ref={ref}
      number={props.number}
      title={props.title}
      badge={badge}
      {...(disabled ? {} : { onDropFile: choose })}
      picture={
        custom.photo ? (
          <PhotoView photo={custom.photo} alt={m.customPhotoAlt} onChooseFace={custom.chooseFace} />
        ) : star ? (
          <StarPicture star={star} alt={fill(m.starPhotoAlt, { name: star.name })} />
        ) : (
          <EmptyFrame inputId={inputId}>{m.dropStarHere}</EmptyFrame>
        )
      }
      more={
        <>
          {star ? <StarCaption star={star} suggested={props.suggested} /> : null}
          {custom.photo ? null : <PresetStars {...props} stars={stars} />}
          {props.children}
        </>
      }
    >
      <PhotoSource
        inputId={inputId}
        label={custom.photo ? m.changePhoto : m.uploadPhoto}
        person={props.title}
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

interface PresetStarsProps extends Pick<
  StarPanelProps,
  'presets' | 'presetId' | 'disabled' | 'onPreset'
> {
  stars: readonly CelebrityPreset[]
}

/** The preset stars to choose from, once they are there. */
function PresetStars({ presets, stars, presetId, disabled, onPreset }: PresetStarsProps) {
  const m = useMessages('dashboard')
  const labelId = useId()
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-3">
      <p id={labelId} className="edge-print text-ash">
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
          labelId={labelId}
          stars={stars}
          nextCursor={presets.state === 'ready' ? presets.nextCursor : null}
          presetId={presetId}
          disabled={disabled}
          onPreset={onPreset}
        />
      )}
    </div>
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
