import { Header } from 'tar'

/** What the header of a tar entry says. */
export interface TarHeader {
  name: string
  byteCount: number
}

/** Entries begin and end at multiples of this. */
export const tarBlockBytes = 512

/**
 * The 512 bytes before an entry's content: a plain file, readable by its owner, dated 1970.
 * A name that doesn't fit (longer than 255 bytes, or without a `/` where it must be split) is a bug.
 */
export function encodeTarHeader({ name, byteCount }: TarHeader): Buffer {
  const about = { mode: 0o600, uid: 0, gid: 0, mtime: new Date(0), type: 'File' } as const
  const header = new Header({ ...about, path: name, size: byteCount })
  const bytes = Buffer.alloc(tarBlockBytes)
  // True where the name would need a header of its own.
  if (header.encode(bytes)) throw new Error(`the name ${name} doesn't fit into a tar header`)
  return bytes
}

/** The header of these 512 bytes; undefined when they are none of ours, such as the zeros at the end. */
export function decodeTarHeader(bytes: Buffer): TarHeader | undefined {
  try {
    const { cksumValid, type, path, size = -1 } = new Header(bytes)
    if (!cksumValid || type !== 'File' || path === undefined || size < 0) return undefined
    return { name: path, byteCount: size }
  } catch {
    // A size that is no number.
    return undefined
  }
}

/** The zeros that fill an entry's last block. */
export function paddingAfter(byteCount: number): number {
  return (tarBlockBytes - (byteCount % tarBlockBytes)) % tarBlockBytes
}
