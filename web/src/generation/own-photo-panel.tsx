import { useId } from 'react'
import type { DemoPerson } from '@starside/contract/presets.ts'
import { useMessages } from '../ui/language.tsx'
import { BorrowFace } from './borrow-face.tsx'
import { FilmButton } from './film-button.tsx'
import { AddPhotoFrame, Frame } from './frame.tsx'
import { PhotoCheck } from './photo-check.tsx'
import { PhotoSource } from './photo-source.tsx'
import { PhotoView } from './photo-view.tsx'
import { areChosen, everybodyIn } from './toggle-face.ts'
import type { usePhoto } from './use-photo.ts'

interface OwnPhotoPanelProps {
  mine: ReturnType<typeof usePhoto>
  /** True when the photo shows a borrowed face. */
  borrowed: boolean
  /** Faces of the photo that fit into the picture. */
  facesMax: number
  disabled: boolean
  /** False until the stars are known, the first of which comes with a borrowed face. */
  canBorrow: boolean
  onFile: (file: File) => void
  onBorrow: (person: DemoPerson) => Promise<void>
}

/** PERSON 1: the user's own photo, or a borrowed one. */
export function OwnPhotoPanel(props: OwnPhotoPanelProps) {
  const { mine, borrowed, facesMax, disabled, canBorrow, onFile, onBorrow } = props
  const m = useMessages('dashboard')
  const inputId = useId()
  const everybody = mine.photo ? everybodyIn(mine.photo, facesMax) : []
  return (
    <Frame
      id="person-1"
      number="1"
      title={m.person1}
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
          <AddPhotoFrame
            inputId={inputId}
            person={m.person1}
            disabled={disabled}
            hint={m.dropHere}
          />
        )
      }
      more={
        mine.photo && !borrowed ? null : (
          <BorrowFace disabled={disabled || !canBorrow} onBorrow={onBorrow} />
        )
      }
    >
      <PhotoSource
        inputId={inputId}
        label={mine.photo ? m.choosePhoto : null}
        person={m.person1}
        facing="user"
        disabled={disabled}
        onFile={onFile}
      >
        {mine.photo && everybody.length > 0 ? (
          <FilmButton
            aria-pressed={areChosen(mine.photo, everybody)}
            disabled={disabled}
            onClick={() => mine.toggleFaces(everybody)}
          >
            {m.everybodyInPhoto}
          </FilmButton>
        ) : null}
      </PhotoSource>
      {mine.photo ? <PhotoCheck photo={mine.photo} facesMax={facesMax} /> : null}
      {borrowed ? <p className="text-[0.95rem] text-ash">{m.borrowedNote}</p> : null}
    </Frame>
  )
}
