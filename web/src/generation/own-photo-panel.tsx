import { useId } from 'react'
import { useQuery } from '@tanstack/react-query'
import type { DemoPerson } from '@starside/contract/presets.ts'
import { fill } from '@starside/contract/fill.ts'
import { leadOn } from '../ui/bring-into-view.ts'
import { useMessages } from '../ui/language.tsx'
import { call } from '../api/call.ts'
import { FilmButton, TextButton } from '../ui/button.tsx'
import { useSubmission, Status } from '../ui/form.tsx'
import { AddPhotoFrame, Frame, PhotoView } from './frame.tsx'
import { PhotoCheck } from './photo-check.tsx'
import { fitnessOf } from './photo-fitness.ts'
import { PhotoSource } from './photo-source.tsx'
import { StarPicture } from './star-picture.tsx'
import { usePresets } from './use-presets.ts'
import { chosenFaces, everybodyIn, type usePhoto } from './use-photo.ts'

interface OwnPhotoPanelProps {
  /** PERSON 1 without it. */
  title?: string
  mine: ReturnType<typeof usePhoto>
  note?: string | null
  onKeepColour?: (() => void) | undefined
  /** Faces of the photo that fit into the picture. */
  facesMax: number
  disabled: boolean
  onFile: (file: File) => void
  /** Takes a sample face out of the frame. */
  onClear?: (() => void) | undefined
  /** Resolves once the person's photo stands in the frame. Left out where nobody's face is lent. */
  onBorrow?: (person: DemoPerson) => Promise<void>
}

/** PERSON 1: the user's own photo, or a borrowed one. */
export function OwnPhotoPanel(props: OwnPhotoPanelProps) {
  const { mine, note, onKeepColour, onClear, facesMax, disabled, onFile, onBorrow } = props
  const m = useMessages('dashboard')
  const title = props.title ?? m.person1
  const source = { inputId: useId(), person: title, disabled }
  const fitness = fitnessOf(mine.photo)
  const clear = onClear && mine.photo ? () => leadOn(onClear, 'person-1') : undefined
  const acts = Object.entries({ [m.keepColour]: onKeepColour, [m.changeWishes]: clear })
  const everybody = mine.photo ? everybodyIn(mine.photo, facesMax) : []
  return (
    <Frame
      id="person-1"
      title={title}
      badge={mine.photo ? m.badgeYou : null}
      {...(disabled ? {} : { onDropFile: onFile })}
      picture={
        mine.photo ? (
          <PhotoView
            photo={mine.photo}
            alt={m.yourPhotoAlt}
            onChooseFace={(index) => mine.toggleFace(index, facesMax)}
          />
        ) : (
          <AddPhotoFrame {...source} hint={m.dropHere} />
        )
      }
      more={
        <>
          {mine.photo ? <PhotoCheck photo={mine.photo} facesMax={facesMax} /> : null}
          <Status className="text-[0.95rem] text-bone">
            {note && `${note} `}
            {acts.map(
              ([text, act]) =>
                act && (
                  <TextButton key={text} className="mr-3" disabled={disabled} onClick={act}>
                    {text}
                  </TextButton>
                ),
            )}
          </Status>
          <details className="all-remarks">
            <summary>{m.more}</summary>
          </details>
          {onBorrow && ['missing', 'unfit'].includes(fitness) ? (
            <BorrowFace
              disabled={disabled}
              // The faces go, and with them the one that was pressed: the star comes next.
              onBorrow={(person) =>
                onBorrow(person).then(() => document.querySelector<HTMLElement>(nextStep)?.focus())
              }
            />
          ) : null}
        </>
      }
    >
      <PhotoSource
        {...source}
        label={mine.photo ? m.choosePhoto : null}
        facing="user"
        onFile={onFile}
      >
        {mine.photo && everybody.length > 0 ? (
          <FilmButton
            aria-pressed={chosenFaces(mine.photo).length === everybody.length}
            disabled={disabled}
            onClick={() => mine.toggleEverybody(everybody)}
          >
            {m.everybodyInPhoto}
          </FilmButton>
        ) : null}
      </PhotoSource>
    </Frame>
  )
}

/** The star that Tab stops at; where one's own photo of a star stands, what comes after it. */
const nextStep = '[aria-labelledby="stars"] [tabindex="0"], #add-star, #ai-result'

/** "No photo at hand?": people who do not exist, whose photo stands in for one's own. */
function BorrowFace(props: Pick<Required<OwnPhotoPanelProps>, 'disabled' | 'onBorrow'>) {
  const m = useMessages('dashboard')
  const { busy, error, submit } = useSubmission(m.borrowFailed)
  const { query } = usePresets()
  const { data } = useQuery({
    queryKey: ['people'],
    queryFn: ({ signal }) => call('GET /api/people', { signal }),
    staleTime: Infinity,
  })
  if (!data) return <div className="min-h-22 md:min-h-(--sample-rows,8.25rem)" />
  if (data.people.length === 0) return null
  return (
    <div role="group" aria-labelledby="borrow-label">
      <p id="borrow-label" className="edge-print mb-1.5 text-ash md:mt-1">
        {m.borrowFace}
      </p>
      <ul className="grid max-w-sm grid-cols-6 gap-1.5 md:max-w-(--sample-faces,8.5rem) md:grid-cols-[repeat(auto-fill,2.5rem)]">
        {data.people.map((person, index) => (
          <li key={person.id}>
            <button
              type="button"
              aria-label={fill(m.borrowFaceNumber, { number: index + 1 })}
              disabled={props.disabled || busy || query.isPending}
              className="block w-full overflow-hidden rounded-full hover:outline-3 hover:outline-bone disabled:opacity-50"
              onClick={() => void submit(() => props.onBorrow(person))}
            >
              <StarPicture small star={{ ...person, name: '' }} alt="" />
            </button>
          </li>
        ))}
      </ul>
      <Status className="text-[0.9rem] text-ash">{error}</Status>
    </div>
  )
}
