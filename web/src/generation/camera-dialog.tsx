import { useState, useEffect, useRef, type ReactNode } from 'react'
import { Dialog, DialogTitle } from '../ui/dialog.tsx'
import { useMessages } from '../ui/language.tsx'
import { FilmButton, MainButton } from '../ui/button.tsx'

interface CameraDialogProps {
  facing: Facing
  onClose: () => void
  /** The person rather chooses a file. */
  onUpload: () => void
  onPhoto: (file: File) => void
}

/** Shows the camera's picture and takes one frame of it. The camera is off as soon as it closes. */
export function CameraDialog(props: CameraDialogProps) {
  const m = useMessages('dashboard')
  const [facing, setFacing] = useState(props.facing)
  const camera = useCamera(facing, props.onPhoto)
  const { state, shoot } = camera
  return (
    <Dialog onClose={props.onClose} className="on-film max-w-xl border-film !bg-film !text-bone">
      <div className="p-4 sm:p-6">
        <DialogTitle className="display narrow text-3xl">{m.cameraTitle}</DialogTitle>
        <p className="mt-1 text-ash">{m.cameraHint}</p>
        <CameraPicture
          camera={camera}
          isMirror={facing === 'user'}
          denied={m.cameraDenied}
          className="mt-4"
        >
          {/* Where the face should be. */}
          {state === 'live' ? (
            <span
              aria-hidden="true"
              className="absolute top-[12%] left-1/3 h-[63%] w-1/3 rounded-[50%] border-2 border-dashed border-amber"
            />
          ) : null}
        </CameraPicture>
        <div className="mt-4 flex flex-wrap gap-2">
          {state === 'denied' ? (
            <MainButton onClick={props.onUpload}>{m.uploadPhoto}</MainButton>
          ) : (
            <>
              <MainButton disabled={state !== 'live'} onClick={() => void shoot()}>
                {m.cameraShoot}
              </MainButton>
              <FilmButton onClick={() => setFacing(facing === 'user' ? 'environment' : 'user')}>
                {m.cameraSwitch}
              </FilmButton>
            </>
          )}
          <FilmButton onClick={props.onClose}>{m.cancel}</FilmButton>
        </div>
      </div>
    </Dialog>
  )
}

interface CameraPictureProps {
  camera: ReturnType<typeof useCamera>
  isMirror: boolean
  label?: string
  /** The sentence for a camera that can't be used. */
  denied: string
  className?: string
  children: ReactNode
}

/** What the camera sees. */
export function CameraPicture(props: CameraPictureProps): ReactNode {
  const m = useMessages('dashboard')
  const { state, video } = props.camera
  return (
    <div
      className={`relative grid aspect-4/3 place-items-center overflow-hidden bg-film ${props.className ?? ''}`}
    >
      <video
        ref={video}
        muted
        playsInline
        aria-label={props.label}
        className={`size-full object-cover ${props.isMirror ? '-scale-x-100' : ''}`}
      />
      {props.children}
      <p role={state === 'denied' ? 'alert' : 'status'} className="absolute px-6 text-center">
        {state === 'starting' ? m.cameraStarting : null}
        {state === 'denied' ? props.denied : null}
      </p>
    </div>
  )
}

export type Facing = 'user' | 'environment'

/** The camera's picture in a video element, and one frame of it as a photo; off when it unmounts. */
export function useCamera(facing: Facing, onPhoto: (file: File) => void) {
  const video = useRef<HTMLVideoElement>(null)
  const [state, setState] = useState<'starting' | 'live' | 'denied'>('starting')
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

  /** Takes the current frame, where there is one and the browser can write it. */
  const shoot = async (): Promise<void> => {
    const element = video.current
    if (!element || state !== 'live') return
    const canvas = new OffscreenCanvas(element.videoWidth, element.videoHeight)
    canvas.getContext('2d')?.drawImage(element, 0, 0)
    const written = canvas.convertToBlob({ type: 'image/jpeg', quality: 0.95 })
    const blob = await written.catch(() => null)
    if (blob) onPhoto(new File([blob], 'camera.jpg', { type: 'image/jpeg' }))
    else setState('denied')
  }
  return { video, state, shoot }
}

function stopStream(stream: MediaStream | null): void {
  for (const track of stream?.getTracks() ?? []) track.stop()
}
