import { useEffect, useEffectEvent } from 'react'
import { sharedPhotoParameter } from '@starside/contract/installed-app.ts'
import { takeSharedPhoto } from '../install/photo-store.ts'
import { useAlert } from '../ui/alerts.tsx'
import { useMessages } from '../ui/language.tsx'
import { useLocation, useNavigate } from '../ui/router.tsx'
import { takeWhenCome } from '../ui/take-when-come.ts'
import { useListener } from '../ui/use-listener.ts'

/** Takes a photo over from the share sheet or the landing page, also after signing in; says so where one shared is missing. */
export function useSharedPhoto(isReady: boolean, onFile: (file: File) => void): void {
  const m = useMessages('dashboard')
  const alert = useAlert()
  const navigate = useNavigate()
  const { pathname, search } = useLocation()
  const isShared = new URLSearchParams(search).has(sharedPhotoParameter)
  const take = useEffectEvent((photo: File | null) => {
    if (photo) onFile(photo)
    if (!isShared) return
    if (!photo) alert(m.sharedPhotoMissing, 'note')
    navigate(pathname, { replace: true })
  })
  useEffect(() => {
    if (!isReady) return
    return takeWhenCome(takeSharedPhoto(Date.now()), (photo) => take(photo))
  }, [isReady])
}

/** Takes a picture pasted anywhere on the page, unless a text field has the focus. */
export function usePastedPhoto(disabled: boolean, onFile: (file: File) => void): void {
  useListener('paste', (event) => {
    const isText = event.target instanceof Element && event.target.matches('input, textarea')
    if (disabled || isText) return
    const files = [...(event.clipboardData?.files ?? [])]
    const file = files.find((one) => one.type.startsWith('image/'))
    if (!file) return
    event.preventDefault()
    onFile(file)
  })
}
