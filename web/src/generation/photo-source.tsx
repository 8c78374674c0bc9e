import { useRef, useState, type ReactNode } from 'react'
import { useMessages } from '../ui/language.tsx'
import { loadPart } from '../ui/load-later.tsx'
import { FilmButton } from '../ui/button.tsx'

const CameraDialog = loadPart(() => import('./camera-dialog.tsx'), 'CameraDialog')

interface PhotoSourceProps {
  /** Of the file field, for an empty frame that opens it. */
  inputId?: string
  /** What the choosing button says; null where the empty frame is that button. */
  label: string | null
  /** Whose photo it is, for the names that screen readers say: PERSON 1, PERSON 2. */
  person: string
  disabled: boolean
  onFile: (file: File) => void
  facing: 'user' | 'environment'
  children?: ReactNode
}

/** The buttons by which a photo comes in: from a file, or from the camera. */
export function PhotoSource(props: PhotoSourceProps) {
  const m = useMessages('dashboard')
  const input = useRef<HTMLInputElement>(null)
  const [hasCamera, setCamera] = useState(false)
  return (
    <div className="flex flex-wrap gap-2 [&>button]:grow [&>button]:px-2 md:[&>button]:min-h-9 md:[&>button]:py-1 md:[&>button]:text-[0.9rem]">
      <input
        ref={input}
        id={props.inputId}
        type="file"
        accept="image/*"
        className="sr-only"
        tabIndex={-1}
        aria-label={`${props.person}: ${m.uploadPhoto}`}
        disabled={props.disabled}
        onChange={({ target }) => {
          const file = target.files?.[0]
          // Cleared, so that choosing the same file again is noticed.
          target.value = ''
          if (file) props.onFile(file)
        }}
      />
      {props.label === null ? null : (
        <FilmButton
          aria-label={`${props.label}: ${props.person}`}
          disabled={props.disabled}
          onClick={() => input.current?.click()}
        >
          {props.label}
        </FilmButton>
      )}
      <FilmButton
        className="take-photo"
        title={m.takePhoto}
        aria-label={`${m.takePhoto}: ${props.person}`}
        disabled={props.disabled}
        onClick={() => setCamera(true)}
      >
        {m.takePhoto}
      </FilmButton>
      {props.children}
      {hasCamera ? (
        <CameraDialog
          facing={props.facing}
          onClose={() => setCamera(false)}
          onUpload={() => {
            setCamera(false)
            input.current?.click()
          }}
          onPhoto={(file) => {
            setCamera(false)
            props.onFile(file)
          }}
        />
      ) : null}
    </div>
  )
}
