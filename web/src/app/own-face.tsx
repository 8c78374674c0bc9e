import { useEffect, useEffectEvent, useLayoutEffect, useState } from 'react'
import { createPortal } from 'react-dom'
import { PhotoView } from '../generation/frame.tsx'
import { PhotoCheck } from '../generation/photo-check.tsx'
import { fitnessOf } from '../generation/photo-fitness.ts'
import { usePhoto, type ChosenPhoto } from '../generation/use-photo.ts'
import { bringIntoView } from '../ui/bring-into-view.ts'
import { MainButton } from '../ui/button.tsx'
import { useMessages } from '../ui/language.tsx'
import '../ui/dashboard.css'

/** What the check finds in a visitor's own photo; one that is fit stands in `#own-photo`, with the way on. */
export function OwnFace(props: {
  file: File
  onShown: (isShown: boolean) => void
  onSignUp: (file: File) => Promise<void>
}) {
  const { file, onShown, onSignUp } = props
  const m = useMessages('auth')
  const { yourPhoto } = useMessages('shell')
  // For the sentences of refusals.
  useMessages('errors')
  const { photo, choose } = usePhoto(null, 'stranger')
  const look = useEffectEvent(choose)
  useEffect(() => void look(file), [file])
  /** The last one that was fit: a refused one changes nothing. */
  const [shown, setShown] = useState<{ photo: ChosenPhoto; file: File } | null>(null)
  if (photo && photo !== shown?.photo && fitnessOf(photo) === 'fit') setShown({ photo, file })
  useLayoutEffect(() => {
    if (!shown) return
    const sample = document.querySelector<HTMLInputElement>('[name=face]:checked')
    if (sample) sample.checked = false
    onShown(true)
    return () => onShown(false)
  }, [shown, onShown])
  if (!photo) return null
  return (
    <>
      <div className="on-film min-w-60 flex-1 bg-film px-3 py-2 text-bone">
        <PhotoCheck photo={photo} />
      </div>
      {shown &&
        createPortal(
          <div className="absolute inset-0">
            <PhotoView photo={shown.photo} alt={yourPhoto} />
            {/* On a phone the picture lies above what was pressed. */}
            <span ref={bringIntoView} className="absolute inset-0 -scroll-mt-17 md:hidden" />
            <MainButton
              className="absolute right-3 bottom-3 left-24 min-h-14 text-lg sm:left-36"
              onClick={() => void onSignUp(shown.file)}
            >
              {m.signUpForIt}
            </MainButton>
          </div>,
          document.getElementById('own-photo')!,
        )}
    </>
  )
}
