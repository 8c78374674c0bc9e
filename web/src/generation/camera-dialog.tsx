import { useEffect, useId, useRef, useState } from 'react'
import { Dialog } from '../ui/dialog.tsx'
import { useMessages } from '../ui/language.tsx'

interface CameraDialogProps {
  open: boolean
  facing: 'user' | 'environment'
  onClose: () => void
  /** The person rather chooses a file. */
  onUpload: () => void
  onPhoto: (file: File) => void
}

/** Shows the camera's picture and takes one frame of it. The camera is off as soon as it closes. */
export function CameraDialog({ open, ...rest }: CameraDialogProps) {
  const id = useId()
  return (
    <Dialog
      open={open}
      onClose={rest.onClose}
      labelledBy={id}
      className="on-film max-w-xl border-film !bg-film !text-bone"
    >
      <Viewfinder titleId={id} {...rest} />
    </Dialog>
  )
}

function Viewfinder(props: Omit<CameraDialogProps, 'open'> & { titleId: string }) {
  const m = useMessages('dashboard')
  const video = useRef<HTMLVideoElement>(null)
  const [state, setState] = useState<'starting' | 'live' | 'denied'>('starting')
  const [facing, setFacing] = useState(props.facing)
  useEffect(() => {
    let stream: MediaStream | null = null
    let wanted = true
    const open = async (): Promise<void> => {
      try {
        stream = await navigator.mediaDevices.getUserMedia({
          audio: false,
          video: { facingMode: facing, width: { ideal: 1920 }, height: { ideal: 1440 } },
        })
        if (!wanted) return stopStream(stream)
        if (video.current) {
          video.current.srcObject = stream
          await video.current.play()
        }
        if (wanted) setState('live')
      } catch {
        if (wanted) setState('denied')
      }
    }
    void open()
    return () => {
      wanted = false
      stopStream(stream)
    }
  }, [facing])

  const shoot = async (): Promise<void> => {
    const element = video.current
    if (!element || state !== 'live') return
    const canvas = document.createElement('canvas')
    canvas.width = element.videoWidth
    canvas.height = element.videoHeight
    canvas.getContext('2d')?.drawImage(element, 0, 0)
    const blob = await new Promise<Blob | null>((resolve) => {
      canvas.toBlob(resolve, 'image/jpeg', 0.95)
    })
    if (blob) props.onPhoto(new File([blob], 'camera.jpg', { type: 'image/jpeg' }))
    else setState('denied')
  }
  return (
    <div className="p-4 sm:p-6">
      <h2 id={props.titleId} className="display narrow text-3xl">
        {m.cameraTitle}
      </h2>
      <p className="mt-1 text-ash">{m.cameraHint}</p>
      <div className="relative mt-4 grid aspect-4/3 place-items-center overflow-hidden bg-black">
        <video
          ref={video}
          muted
          playsInline
          className={`size-full object-cover ${facing === 'user' ? '-scale-x-100' : ''}`}
        />
        {state === 'live' ? (
          <svg aria-hidden="true" viewBox="0 0 400 300" className="absolute inset-0 size-full">
            <ellipse
              cx="200"
              cy="130"
              rx="70"
              ry="95"
              className="fill-none stroke-amber stroke-2"
              strokeDasharray="6 7"
            />
          </svg>
        ) : null}
        <p role={state === 'denied' ? 'alert' : 'status'} className="absolute px-6 text-center">
          {state === 'starting' ? m.cameraStarting : null}
          {state === 'denied' ? m.cameraDenied : null}
        </p>
      </div>
      <div className="mt-4 flex flex-wrap gap-2">
        {state === 'denied' ? (
          <button type="button" className="button button-main" onClick={props.onUpload}>
            {m.uploadPhoto}
          </button>
        ) : (
          <>
            <button
              type="button"
              className="button button-main"
              disabled={state !== 'live'}
              onClick={() => void shoot()}
            >
              {m.cameraShoot}
            </button>
            <button
              type="button"
              className="button button-film"
              onClick={() => setFacing(facing === 'user' ? 'environment' : 'user')}
            >
              {m.cameraSwitch}
            </button>
          </>
        )}
        <button type="button" className="button button-film" onClick={props.onClose}>
          {m.cancel}
        </button>
      </div>
    </div>
  )
}

function stopStream(stream: MediaStream | null): void {
  for (const track of stream?.getTracks() ?? []) track.stop()
}
