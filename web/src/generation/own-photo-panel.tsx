import { useMessages } from '../ui/language.tsx'
import { EmptyFrame, Frame } from './frame.tsx'
import { PhotoCoach } from './photo-coach.tsx'
import { PhotoSource } from './photo-source.tsx'
import { PhotoView } from './photo-view.tsx'
import { PrivacyNote } from './privacy-note.tsx'
import type { usePhoto } from './use-photo.ts'

interface OwnPhotoPanelProps {
  mine: ReturnType<typeof usePhoto>
  disabled: boolean
}

/** PERSON 1: the user's own photo. */
export function OwnPhotoPanel({ mine, disabled }: OwnPhotoPanelProps) {
  const m = useMessages('dashboard')
  const choose = (file: File): void => void mine.choose(file)
  return (
    <Frame
      number="1"
      title={m.person1}
      badge={mine.photo ? m.badgeYou : null}
      {...(disabled ? {} : { onDropFile: choose })}
      picture={
        mine.photo ? (
          <PhotoView photo={mine.photo} alt={m.yourPhotoAlt} onChooseFace={mine.chooseFace} />
        ) : (
          <EmptyFrame>{m.dropHere}</EmptyFrame>
        )
      }
    >
      <PhotoSource
        label={mine.photo ? m.choosePhoto : m.uploadPhoto}
        inputName={`${m.person1}: ${m.uploadPhoto}`}
        facing="user"
        disabled={disabled}
        onFile={choose}
      />
      {mine.photo ? <PhotoCoach photo={mine.photo} /> : null}
      <PrivacyNote />
    </Frame>
  )
}
