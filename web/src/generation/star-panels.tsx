import { useId, useState, type ReactNode } from 'react'
import { useMessages, useLanguage } from '../ui/language.tsx'
import type { ChoicesProps, useStarChoice } from './use-studio-choices.ts'
import { fill } from '@starside/contract/fill.ts'
import { lineOf } from './use-presets.ts'
import { AddPhotoFrame, Frame, PhotoView } from './frame.tsx'
import { PhotoCheck } from './photo-check.tsx'
import { PhotoSource } from './photo-source.tsx'
import { StarPicture } from './star-picture.tsx'
import { StarShelf } from './star-shelf.tsx'
import { TextButton, FilmButton } from '../ui/button.tsx'
import { ConsentField } from './wish-line.tsx'
import { leadOn } from '../ui/bring-into-view.ts'

/** The star, and a second one where one was added; of two the list of one alone is unfolded. */
export function StarPanels({ choices, disabled }: ChoicesProps) {
  const m = useMessages('dashboard')
  const { star, second } = choices
  const [unfolded, setUnfolded] = useState(1)
  if (!second && unfolded === 0) setUnfolded(1)
  const whoAsksConsent = [star, second].find((one) => one?.chosen.custom)
  return [star, second].map((one, index) => {
    if (!one) return null
    const clear = () => {
      one.clear()
      setUnfolded(index)
    }
    return (
      <StarPanel
        key={index}
        number={index === 0 ? '2' : '3'}
        star={{ ...one, clear }}
        takenId={(index === 0 ? second : star)?.chosen.presetId ?? null}
        disabled={disabled}
        onUnfold={second && index !== unfolded ? () => setUnfolded(index) : undefined}
      >
        {one === whoAsksConsent ? <ConsentField choices={choices} disabled={disabled} /> : null}
        {index === 1 ? (
          <FilmButton disabled={disabled} onClick={() => leadOn(choices.removeSecond, 'add-star')}>
            {m.removeSecondStar}
          </FilmButton>
        ) : !second && (one.chosen.custom || one.chosen.preset) ? (
          <FilmButton
            id="add-star"
            disabled={disabled}
            onClick={() => leadOn(choices.addSecond, 'person-3')}
          >
            {m.addSecondStar}
          </FilmButton>
        ) : null}
      </StarPanel>
    )
  })
}

export interface StarPanelProps {
  /** Who it is: PERSON 2, or PERSON 3 for a second star. */
  number: '2' | '3'
  star: ReturnType<typeof useStarChoice>
  /** The star of the other panel, who can't be chosen here too. */
  takenId: string | null
  disabled: boolean
  /** Where the list of stars is folded, as that of the other one is not. */
  onUnfold?: (() => void) | undefined
  children?: ReactNode
}

/** One star: a photo of one's own, or one of the preset stars. */
export function StarPanel(props: StarPanelProps) {
  'use memo'
  const { number, star, disabled, onUnfold } = props
  const { custom, preset } = star.chosen
  const m = useMessages('dashboard')
  const title = m[`person${number}`]
  const { language } = useLanguage()
  const source = { inputId: useId(), person: title, disabled }
  const shelfId = number === '2' ? 'stars' : 'second-stars'
  const isFolded = !custom && onUnfold
  return (
    <Frame
      id={`person-${number}`}
      title={title}
      badge={custom ? m.badgeCustom : preset ? m.badgeStar : null}
      className={`star-panel ${custom ? 'own-star' : ''}`}
      {...(disabled ? {} : { onDropFile: star.choosePhoto })}
      picture={
        custom ? (
          <PhotoView photo={custom} alt={m.customPhotoAlt} onChooseFace={star.chooseFace} />
        ) : preset ? (
          <StarPicture star={preset} alt={fill(m.starPhotoAlt, { name: preset.name })} />
        ) : (
          <AddPhotoFrame {...source} hint={m.dropStarHere} />
        )
      }
      more={
        <>
          {custom ? (
            <PhotoCheck photo={custom} praise={m.starPhotoGood} />
          ) : isFolded ? null : (
            <StarShelf labelId={shelfId} {...props} />
          )}
          {props.children}
        </>
      }
    >
      {custom || preset || isFolded ? (
        <div className="flex flex-wrap items-start justify-between gap-x-3 leading-snug">
          {preset ? (
            <details>
              <summary className="cursor-pointer py-0.5 font-semibold">{preset.name}</summary>
              {preset.line ? <p>{lineOf(preset, language)}</p> : null}
              <p className="text-sm text-ash">
                {preset.attribution} {preset.licence}
              </p>
            </details>
          ) : null}
          <TextButton
            id={isFolded ? shelfId : undefined}
            className="min-h-6 text-[0.95rem] max-md:min-h-11"
            disabled={disabled}
            onClick={() => leadOn(isFolded ? onUnfold : star.clear, shelfId)}
          >
            {!isFolded ? m.clearSelection : preset ? m.changeWishes : m.stepStar}
          </TextButton>
        </div>
      ) : null}
      {isFolded && preset ? null : (
        <PhotoSource
          {...source}
          label={custom ? m.changePhoto : preset ? m.uploadPhoto : null}
          facing="environment"
          onFile={star.choosePhoto}
        />
      )}
    </Frame>
  )
}
