import { useEffect, useState } from 'react'

/** An address for a blob, released as soon as the blob is replaced or the component goes. */
export function useObjectUrl(blob: Blob | null): string | null {
  const [address, setAddress] = useState<string | null>(null)
  useEffect(() => {
    const created = blob ? URL.createObjectURL(blob) : null
    // An address is a resource to release, so it is made here and not while rendering.
    // oxlint-disable-next-line react/set-state-in-effect
    setAddress(created)
    return () => {
      if (created) URL.revokeObjectURL(created)
    }
  }, [blob])
  return address
}
