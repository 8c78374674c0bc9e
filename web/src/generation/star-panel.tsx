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
import type { Presets } from './use-presets.ts'
import type { useStarChoice } from './use-star-choice.ts'

interface StarPanelProps {
  ref?: Ref<HTMLElement> | undefined
  /** Which step it is, and what it is called: PERSON 2, or PERSON 3 for a second star. */
  number: '2' | '3'
  title: string
  star: ReturnType<typeof useStarChoice>
  presets: Presets
  /** The star of the other panel, who can't be chosen here too. */
  takenId: string | null
  /** True when the star was not chosen but came with a borrowed face. */
  suggested: boolean
  disabled: boolean
  /** More buttons below. */
  children?: ReactNode
}

/** One star: a photo of one's own, or one of the preset stars. */
export function StarPanel({ ref, ...props }: StarPanelProps) {
  'use memo'
  const { number, title, star, disabled } = props
  const { custom, preset } = star.chosen
  const m = useMessages('dashboard')
  const inputId = useId()
  return (
    <Frame
      ref={ref}
      number={number}
      title={title}
      badge={custom ? m.badgeCustom : preset ? m.badgeStar : null}
      className="star-panel"
      {...(disabled ? {} : { onDropFile: star.choosePhoto })}
      picture={
        custom ? (
          <PhotoView photo={custom} alt={m.customPhotoAlt} onChooseFace={star.chooseFace} />
        ) : preset ? (
          <StarPicture star={preset} alt={fill(m.starPhotoAlt, { name: preset.name })} />
        ) : (
          <AddPhotoFrame
            inputId={inputId}
            person={title}
            disabled={disabled}
            hint={m.dropStarHere}
          />
        )
      }
      more={
        <>
          {custom ? null : <PresetStars {...props} />}
          {props.children}
        </>
      }
    >
      {custom || preset ? (
        <div className="flex flex-wrap items-start justify-between gap-x-3 leading-snug">
          {preset ? <StarCaption star={preset} suggested={props.suggested} /> : null}
          <button
            type="button"
            className="text-link min-h-6 text-[0.95rem] max-md:min-h-11"
            disabled={disabled}
            onClick={star.clear}
          >
            {m.clearSelection}
          </button>
        </div>
      ) : null}
      <PhotoSource
        inputId={inputId}
        label={custom ? m.changePhoto : preset ? m.uploadPhoto : null}
        person={title}
        facing="environment"
        disabled={disabled}
        onFile={star.choosePhoto}
      />
      {custom ? <PhotoCheck photo={custom} /> : null}
    </Frame>
  )
}

function PresetStars({ number, presets, takenId, star, disabled }: StarPanelProps) {
  const m = useMessages('dashboard')
  const labelId = number === '2' ? 'stars' : 'second-stars'
  const isReady = presets.state === 'ready'
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
          stars={isReady ? presets.list.filter(({ id }) => id !== takenId) : []}
          nextCursor={isReady ? presets.nextCursor : null}
          presetId={star.chosen.presetId}
          disabled={disabled}
          onPreset={star.choosePreset}
        />
      )}
    </>
  )
}

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
