import { useId, type ReactNode, type Ref } from 'react'
import type { CelebrityPreset } from '@starside/contract/presets.ts'
import { fill } from '@starside/contract/fill.ts'
import { useLanguage, useMessages } from '../ui/language.tsx'
import { lineOf } from './filter-stars.ts'
import { AddPhotoFrame, Frame } from './frame.tsx'
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
      className="star-panel"
      {...(disabled ? {} : { onDropFile: choose })}
      picture={
        custom.photo ? (
          <PhotoView photo={custom.photo} alt={m.customPhotoAlt} onChooseFace={custom.chooseFace} />
        ) : star ? (
          <StarPicture star={star} alt={fill(m.starPhotoAlt, { name: star.name })} />
        ) : (
          <AddPhotoFrame
            inputId={inputId}
            person={props.title}
            disabled={disabled}
            hint={m.dropStarHere}
          />
        )
      }
      more={
        <>
          {custom.photo ? null : <PresetStars {...props} stars={stars} />}
          {props.children}
        </>
      }
    >
      {custom.photo || star ? (
        <div className="flex flex-wrap items-start justify-between gap-x-3 leading-snug">
          {star ? <StarCaption star={star} suggested={props.suggested} /> : null}
          <button
            type="button"
            className="text-link min-h-6 text-[0.95rem] max-md:min-h-11"
            disabled={disabled}
            onClick={() => {
              custom.clear()
              onPreset(null)
            }}
          >
            {m.clearSelection}
          </button>
        </div>
      ) : null}
      <PhotoSource
        inputId={inputId}
        label={custom.photo ? m.changePhoto : star ? m.uploadPhoto : null}
        person={props.title}
        facing="environment"
        disabled={disabled}
        onFile={choose}
      />
      {custom.photo ? <PhotoCheck photo={custom.photo} /> : null}
    </Frame>
  )
}

/** The preset stars to choose from, once they are there. */
function PresetStars(props: StarPanelProps & { stars: readonly CelebrityPreset[] }) {
  const { number, presets, stars, presetId, disabled, onPreset } = props
  const m = useMessages('dashboard')
  const labelId = number === '2' ? 'stars' : 'second-stars'
  return (
    <>
      <p id={labelId} className="edge-print flex min-h-7 items-center text-ash">
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
    </>
  )
}

/** Who the chosen star is; unfolded, what they are known for and whose picture it is. */
function StarCaption({ star, suggested }: { star: CelebrityPreset; suggested: boolean }) {
  const m = useMessages('dashboard')
  const { language } = useLanguage()
  return (
    <div>
      <details>
        <summary className="cursor-pointer py-0.5 font-semibold">{star.name}</summary>
        {star.line ? <p>{lineOf(star, language)}</p> : null}
        <p className="text-sm text-ash">
          {star.attribution} {star.licence}
        </p>
      </details>
      <p role="status" className="text-[0.9rem] text-ash empty:hidden">
        {suggested ? m.starSuggested : ''}
      </p>
    </div>
  )
}
