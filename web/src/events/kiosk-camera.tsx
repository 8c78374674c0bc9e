import { useEffect, useEffectEvent, useState } from 'react'
import { CameraPicture } from '../generation/camera-dialog.tsx'
import { PhotoCheck } from '../generation/photo-check.tsx'
import { fitnessOf } from '../generation/photo-fitness.ts'
import { useCamera } from '../generation/use-camera.ts'
import { usePhotoAddress, type ChosenPhoto } from '../generation/use-photo.ts'
import { useMessages } from '../ui/language.tsx'

const countFrom = 3

interface KioskCameraProps {
  /** The photo that is being checked, or was refused; null before one was taken. */
  photo: ChosenPhoto | null
  onPhoto: (file: File) => void
}

/** The camera's picture as a mirror, a countdown, and the photo while it is checked. */
export function KioskCamera({ photo, onPhoto }: KioskCameraProps) {
  const m = useMessages('events')
  const camera = useCamera('user')
  const { state, shoot } = camera
  const [count, setCount] = useCountdown(async () => {
    const file = await shoot()
    if (file) onPhoto(file)
  })
  const taken = usePhotoAddress(photo)
  const fitness = fitnessOf(photo)
  const isChecking = fitness === 'checking' || fitness === 'fit'
  return (
    <div className="mx-auto grid w-full max-w-[min(100%,(100dvh-14rem)*4/3)] content-start gap-4">
      <CameraPicture
        camera={camera}
        isMirror
        label={m.mirror}
        denied={m.noCamera}
        className="text-2xl font-semibold"
      >
        {taken !== null && isChecking ? (
          <img src={taken} alt="" className="absolute size-full -scale-x-100 object-cover" />
        ) : null}
        <p
          role="status"
          className="display absolute text-[min(40vh,50vw)] [text-shadow:0_0_0.2em_#000] empty:hidden"
        >
          {count}
        </p>
      </CameraPicture>
      {photo && count === null ? <PhotoCheck photo={photo} /> : null}
      <button
        type="button"
        className="button button-main min-h-20 text-3xl"
        aria-disabled={state !== 'live' || count !== null || isChecking}
        onClick={() => {
          if (state === 'live' && count === null && !isChecking) setCount(countFrom)
        }}
      >
        {fitness === 'unfit' ? m.takeAgain : m.take}
      </button>
    </div>
  )
}

/** Counts down by seconds, once set, and calls `onZero`; null while it does not count. */
function useCountdown(onZero: () => Promise<void>) {
  const [count, setCount] = useState<number | null>(null)
  const end = useEffectEvent(onZero)
  useEffect(() => {
    if (count === null) return undefined
    const timer = setTimeout(() => {
      if (count > 1) return setCount(count - 1)
      void end().finally(() => setCount(null))
    }, 1_000)
    return () => clearTimeout(timer)
  }, [count])
  return [count, setCount] as const
}
