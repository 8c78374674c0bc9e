import { useEffect, useState } from 'react'
import { shareNoticeMs } from '@starside/contract/limits.ts'
import { shareNetwork } from '@starside/contract/sharing.ts'
import { canSharePictures, shareNatively } from '../sharing/share-natively.ts'
import { shareOnX } from '../sharing/share-on-x.ts'
import { fill } from '@starside/contract/fill.ts'
import { useMessages } from '../ui/language.tsx'
import { useNotice } from '../ui/use-notice.ts'
import { downloadFileName, downloadPicture } from './download-picture.ts'

interface SharedPicture {
  imageUrl: string
  downloadUrl: string
  /** What is said with the picture. */
  text: string
  link: string
}

/** Saving a picture and passing it on, and how that went. `shareFile` is null where a device can't. */
export function usePictureSharing({ imageUrl, downloadUrl, text, link }: SharedPicture) {
  const m = useMessages('dashboard')
  const [notice, showNotice] = useNotice(shareNoticeMs)
  const [error, setError] = useState<string | null>(null)
  const file = useShareableFile(imageUrl)
  const host = shareNetwork.name

  const download = async (): Promise<void> => {
    setError(null)
    try {
      await downloadPicture(downloadUrl, downloadFileName(Date.now()))
    } catch (failure) {
      console.warn(failure)
      setError(m.downloadFailed)
    }
  }
  const share = async (): Promise<void> => {
    setError(null)
    const outcome = await shareOnX(text, link)
    if (outcome === 'opened') showNotice(fill(m.shareOpened, { host }))
    else if (outcome === 'copied') showNotice(fill(m.tweetCopied, { host }))
    else setError(fill(m.shareFailed, { host }))
  }
  const shareFile = file
    ? async (): Promise<void> => {
        try {
          await shareNatively(file, text, link)
        } catch {
          setError(fill(m.shareFailed, { host }))
        }
      }
    : null
  return { notice, error, download, share, shareFile }
}

/** The picture as a file: the share sheet opens only right after a tap, so it is fetched ahead of it. */
function useShareableFile(imageUrl: string): File | null {
  const [file, setFile] = useState<File | null>(null)
  useEffect(() => {
    if (!canSharePictures()) return
    let wanted = true
    void pictureFile(imageUrl).then((fetched) => {
      if (wanted) setFile(fetched)
    })
    return () => {
      wanted = false
    }
  }, [imageUrl])
  return file
}

async function pictureFile(imageUrl: string): Promise<File | null> {
  try {
    const response = await fetch(imageUrl)
    if (!response.ok) return null
    return new File([await response.blob()], 'celebrity-selfie.jpg', { type: 'image/jpeg' })
  } catch {
    return null
  }
}
