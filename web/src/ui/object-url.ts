import { useEffect, useState } from 'react'

/** An address for a blob, released as soon as the blob is replaced or the component goes. */
export function useObjectUrl(blob: Blob | null): string | null {
  const [address, setAddress] = useState<string | null>(null)
  useEffect(() => {
    const created = blob ? URL.createObjectURL(blob) : null
    setAddress(created)
    return () => {
      if (created) URL.revokeObjectURL(created)
    }
  }, [blob])
  return address
}
