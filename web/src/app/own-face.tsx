import { useEffect, useEffectEvent } from 'react'
import { PhotoCheck } from '../generation/photo-check.tsx'
import { fitnessOf } from '../generation/photo-fitness.ts'
import { usePhoto, usePhotoAddress } from '../generation/use-photo.ts'
import { bringIntoView } from '../ui/bring-into-view.ts'
import { MainButton } from '../ui/button.tsx'
import { useMessages } from '../ui/language.tsx'
import '../ui/dashboard.css'

/** What the check finds in a visitor's own photo, and the way on once it is fit. */
export function OwnFace(props: {
  file: File
  /** Where the photo can be shown, once it was read. */
  onAddress: (address: string | null) => void
  onSignUp: () => void
}) {
  const m = useMessages('auth')
  // For the sentences of refusals.
  useMessages('errors')
  const { photo, choose } = usePhoto(null, 'stranger')
  const look = useEffectEvent(choose)
  useEffect(() => void look(props.file), [props.file])
  const address = usePhotoAddress(photo)
  const show = useEffectEvent(props.onAddress)
  useEffect(() => show(address), [address])
  if (!photo) return null
  return (
    <div ref={bringIntoView} className="on-film grid gap-3 bg-film p-3 text-bone">
      <PhotoCheck photo={photo} />
      {fitnessOf(photo) === 'fit' ? (
        <MainButton ref={bringIntoView} className="scroll-my-4" onClick={props.onSignUp}>
          {m.signUpForIt}
        </MainButton>
      ) : null}
    </div>
  )
}
