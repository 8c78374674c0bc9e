import { Status } from '../ui/form.tsx'
import { useEffect, useRef, useId, type ReactNode, type Ref } from 'react'
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

/** The star, and a second one where one was added. */
export function StarPanels({ choices, disabled }: ChoicesProps) {
  const m = useMessages('dashboard')
  const { star, second, borrowed } = choices
  const { addButton, panel, press } = useFocusAfterPress(second !== null)
  const { custom, preset, presetId } = star.chosen
  return (
    <>
      <StarPanel
        number="2"
        title={m.person2}
        star={star}
        takenId={second?.chosen.presetId ?? null}
        suggested={borrowed !== null && borrowed.suggestedId === presetId}
        disabled={disabled}
      >
        {!second && (custom || preset) ? (
          <FilmButton ref={addButton} disabled={disabled} onClick={() => press(choices.addSecond)}>
            {m.addSecondStar}
          </FilmButton>
        ) : null}
      </StarPanel>
      {second ? (
        <StarPanel
          ref={panel}
          number="3"
          title={m.person3}
          star={second}
          takenId={presetId}
          suggested={false}
          disabled={disabled}
        >
          <FilmButton disabled={disabled} onClick={() => press(choices.removeSecond)}>
            {m.removeSecondStar}
          </FilmButton>
        </StarPanel>
      ) : null}
    </>
  )
}

/** Moves the focus to where the person goes on, once what they pressed is gone. */
function useFocusAfterPress(isAdded: boolean) {
  const addButton = useRef<HTMLButtonElement>(null)
  const panel = useRef<HTMLHeadingElement>(null)
  const wasPressed = useRef(false)
  useEffect(() => {
    if (wasPressed.current) {
      const next = (isAdded ? panel : addButton).current
      next?.focus()
      // The focus alone leaves what is partly in view where it is, below the bar.
      next?.closest('section')?.scrollIntoView({ block: 'nearest' })
    }
    wasPressed.current = false
  }, [isAdded])
  const press = (act: () => void): void => {
    wasPressed.current = true
    act()
  }
  return { addButton, panel, press }
}

interface StarPanelProps {
  ref?: Ref<HTMLHeadingElement> | undefined
  /** Which step it is, and what it is called: PERSON 2, or PERSON 3 for a second star. */
  number: '2' | '3'
  title: string
  star: ReturnType<typeof useStarChoice>
  /** The star of the other panel, who can't be chosen here too. */
  takenId: string | null
  /** True when the star was not chosen but came with a borrowed face. */
  suggested: boolean
  disabled: boolean
  children?: ReactNode
}

/** One star: a photo of one's own, or one of the preset stars. */
export function StarPanel({ ref, ...props }: StarPanelProps) {
  'use memo'
  const { number, title, star, disabled } = props
  const { custom, preset } = star.chosen
  const m = useMessages('dashboard')
  const { language } = useLanguage()
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
          {custom ? null : (
            <StarShelf
              labelId={number === '2' ? 'stars' : 'second-stars'}
              star={star}
              takenId={props.takenId}
              disabled={disabled}
            />
          )}
          {props.children}
        </>
      }
    >
      {custom || preset ? (
        <div className="flex flex-wrap items-start justify-between gap-x-3 leading-snug">
          {preset ? (
            <div>
              <details>
                <summary className="cursor-pointer py-0.5 font-semibold">{preset.name}</summary>
                {preset.line ? <p>{lineOf(preset, language)}</p> : null}
                <p className="text-sm text-ash">
                  {preset.attribution} {preset.licence}
                </p>
              </details>
              <Status className="text-[0.9rem] text-ash">
                {props.suggested ? m.starSuggested : ''}
              </Status>
            </div>
          ) : null}
          <TextButton
            className="min-h-6 text-[0.95rem] max-md:min-h-11"
            disabled={disabled}
            onClick={star.clear}
          >
            {m.clearSelection}
          </TextButton>
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
