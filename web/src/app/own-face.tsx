import { useEffect, useEffectEvent } from 'react'
import { createPortal } from 'react-dom'
import { pages } from '@starside/contract/pages.ts'
import { useAuth } from '../auth/auth-context.ts'
import { PhotoView } from '../generation/frame.tsx'
import { PhotoCheck } from '../generation/photo-check.tsx'
import { fitnessOf } from '../generation/photo-fitness.ts'
import { rememberTriedStar } from '../generation/selfie-draft.ts'
import { usePhoto } from '../generation/use-photo.ts'
import { keepSharedPhoto } from '../install/photo-store.ts'
import { bringIntoView } from '../ui/bring-into-view.ts'
import { MainButton } from '../ui/button.tsx'
import { carriedCode, registrationPath } from '../ui/carried-code.ts'
import { useMessages } from '../ui/language.tsx'
import { useNavigate } from '../ui/router.tsx'
import '../ui/dashboard.css'

/** A visitor's own photo in `#own-photo`; in `#own-way` what the check finds in it, and the way on with one that is fit. */
export function OwnFace({ file, star }: { file: File; star: string }) {
  const m = useMessages('auth')
  const { yourPhoto } = useMessages('shell')
  // For the sentences of refusals.
  useMessages('errors')
  const { isAuthenticated } = useAuth()
  const navigate = useNavigate()
  const { photo, choose } = usePhoto(null, 'stranger')
  const isFit = fitnessOf(photo) === 'fit'
  /** Keeps photo and star for the studio, where the browser can; who isn't there yet is told so on the page they are at. */
  const keep = async (to?: string): Promise<void> => {
    rememberTriedStar(star)
    await keepSharedPhoto(file, Date.now()).catch(() => undefined)
    const state = { photo: URL.createObjectURL(file), star }
    navigate(to ?? location.pathname + location.search, { replace: to === undefined, state })
  }
  const look = useEffectEvent((chosen: File) =>
    isAuthenticated ? keep(pages.dashboard.path) : choose(chosen),
  )
  useEffect(() => void look(file), [file])
  // Whichever way leads to the sign-in; nothing is kept of who goes elsewhere.
  const leave = useEffectEvent(() => {
    if (isFit && location.pathname === pages.auth.path) void keep()
  })
  useEffect(() => () => leave(), [])
  if (!photo) return null
  return (
    <>
      {createPortal(<PhotoView photo={photo} alt={yourPhoto} />, at('own-photo'))}
      {createPortal(
        <div ref={lead} className="own-way on-film">
          <PhotoCheck photo={photo} />
          {isFit ? (
            <MainButton
              className="min-h-14"
              onClick={() => navigate(registrationPath(carriedCode('ref', location.search)))}
            >
              {m.signUpForIt}
            </MainButton>
          ) : null}
        </div>,
        at('own-way'),
      )}
    </>
  )
}

const lead = (way: Element | null) => [way, at('own-photo')].forEach(bringIntoView)

const at = (id: string) => document.getElementById(id)!
