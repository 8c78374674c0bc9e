import { useEffect, useRef, useState } from 'react'

export type Facing = 'user' | 'environment'

/** The camera's picture in a video element, and one frame of it as a photo; off when it unmounts. */
export function useCamera(facing: Facing) {
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

  /** The current frame; null when there is none, or the browser cannot write it. */
  const shoot = async (): Promise<File | null> => {
    const element = video.current
    if (!element || state !== 'live') return null
    const canvas = document.createElement('canvas')
    canvas.width = element.videoWidth
    canvas.height = element.videoHeight
    canvas.getContext('2d')?.drawImage(element, 0, 0)
    const blob = await new Promise<Blob | null>((resolve) => {
      canvas.toBlob(resolve, 'image/jpeg', 0.95)
    })
    if (blob) return new File([blob], 'camera.jpg', { type: 'image/jpeg' })
    setState('denied')
    return null
  }
  return { video, state, shoot }
}

function stopStream(stream: MediaStream | null): void {
  for (const track of stream?.getTracks() ?? []) track.stop()
}
