import { useEffect, useEffectEvent } from 'react'
import { PhotoCheck } from '../generation/photo-check.tsx'
import { fitnessOf } from '../generation/photo-fitness.ts'
import { usePhoto, usePhotoAddress } from '../generation/use-photo.ts'
import { bringIntoView } from '../ui/bring-into-view.ts'
import { MainButton } from '../ui/button.tsx'
import { exampleSrc } from '../ui/example-list.ts'
import { useMessages } from '../ui/language.tsx'
import '../ui/dashboard.css'

/** A visitor's own photo beside the star, what the photo check finds, and the way on once it is fit. */
export function OwnFace(props: { file: File; star: string; onSignUp: () => void }) {
  const m = useMessages('auth')
  // For the sentences of refusals.
  useMessages('errors')
  const { photo, choose } = usePhoto(null, 'stranger')
  const address = usePhotoAddress(photo)
  const look = useEffectEvent(choose)
  useEffect(() => void look(props.file), [props.file])
  if (!photo) return null
  return (
    <>
      {address ? <img src={address} alt="" /> : null}
      <img src={exampleSrc(props.star, 'portrait')} alt="" />
      <div ref={bringIntoView} className="grid min-w-0 flex-1 basis-44 content-center gap-3">
        <PhotoCheck photo={photo} />
        {fitnessOf(photo) === 'fit' ? (
          <MainButton ref={bringIntoView} className="scroll-my-4" onClick={props.onSignUp}>
            {m.signUpForIt}
          </MainButton>
        ) : null}
      </div>
    </>
  )
}
