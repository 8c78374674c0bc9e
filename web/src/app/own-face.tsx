import { useEffect, useEffectEvent, useLayoutEffect, useState } from 'react'
import { createPortal } from 'react-dom'
import { pages } from '@starside/contract/pages.ts'
import { useAuth } from '../auth/auth-context.ts'
import { PhotoView } from '../generation/frame.tsx'
import { PhotoCheck } from '../generation/photo-check.tsx'
import { fitnessOf } from '../generation/photo-fitness.ts'
import { rememberTriedStar } from '../generation/selfie-draft.ts'
import { usePhoto, type ChosenPhoto } from '../generation/use-photo.ts'
import { keepSharedPhoto } from '../install/photo-store.ts'
import { bringIntoView } from '../ui/bring-into-view.ts'
import { MainButton } from '../ui/button.tsx'
import { carriedCode, registrationPath } from '../ui/carried-code.ts'
import { useMessages } from '../ui/language.tsx'
import { useNavigate } from '../ui/router.tsx'
import '../ui/dashboard.css'

/** What the check finds in a visitor's own photo; one that is fit stands in `#own-photo`, the way on in `#own-way`. */
export function OwnFace(props: { file: File; star: string; onShown: (isShown: boolean) => void }) {
  const { file, star, onShown } = props
  const m = useMessages('auth')
  const { yourPhoto } = useMessages('shell')
  // For the sentences of refusals.
  useMessages('errors')
  const { isAuthenticated } = useAuth()
  const navigate = useNavigate()
  const { photo, choose } = usePhoto(null, 'stranger')
  /** Keeps photo and star for the studio, where the browser can; who isn't there yet is told so on the page they are at. */
  const keep = async (taken: File, to?: string): Promise<void> => {
    rememberTriedStar(star)
    await keepSharedPhoto(taken, Date.now()).catch(() => undefined)
    const state = { photo: URL.createObjectURL(taken), star }
    navigate(to ?? location.pathname + location.search, { replace: to === undefined, state })
  }
  const look = useEffectEvent((chosen: File) =>
    isAuthenticated ? keep(chosen, pages.dashboard.path) : choose(chosen),
  )
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
  // Whichever way leads to the sign-in; nothing is kept of who goes elsewhere.
  const leave = useEffectEvent(() => {
    if (shown && location.pathname === pages.auth.path) void keep(shown.file)
  })
  useEffect(() => () => leave(), [])
  if (!photo) return null
  return (
    <>
      <div className="on-film min-w-60 flex-1 bg-film px-3 py-2 text-bone">
        <PhotoCheck photo={photo} />
      </div>
      {shown && createPortal(<PhotoView photo={shown.photo} alt={yourPhoto} />, at('own-photo'))}
      {shown &&
        createPortal(
          <MainButton
            ref={() => bringIntoView(at('own-photo'))}
            className="absolute inset-x-4 bottom-4 min-h-14"
            onClick={() => navigate(registrationPath(carriedCode('ref', location.search)))}
          >
            {m.signUpForIt}
          </MainButton>,
          at('own-way'),
        )}
    </>
  )
}

const at = (id: string) => document.getElementById(id)!
