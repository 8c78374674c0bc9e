/** What the header of a tar entry says. */
export interface TarHeader {
  name: string
  byteCount: number
}

/** Entries begin and end at multiples of this. */
export const tarBlockBytes = 512

const longestName = 100
const longestPrefix = 155
/** Eleven octal digits: just below 8 GiB. */
const byteCountMax = 8 ** 11 - 1

/** The fields that we use, with their place and length (POSIX.1-1988 ustar, `tar(5)`). */
const fields = {
  name: [0, longestName],
  mode: [100, 8],
  uid: [108, 8],
  gid: [116, 8],
  size: [124, 12],
  mtime: [136, 12],
  checksum: [148, 8],
  type: [156, 1],
  magic: [257, 8],
  prefix: [345, longestPrefix],
} as const

/**
 * The 512 bytes before an entry's content: a plain file, readable by its owner, dated 1970.
 * A name that doesn't fit (longer than 255 bytes, or without a `/` where it must be split) is a bug.
 */
export function encodeTarHeader({ name, byteCount }: TarHeader): Buffer {
  if (!(byteCount >= 0 && byteCount <= byteCountMax))
    throw new Error(`${name} is too large for tar`)
  const { prefix, rest } = splitName(name)
  const header = Buffer.alloc(tarBlockBytes)
  const write = (field: keyof typeof fields, text: string) => {
    header.write(text, fields[field][0], fields[field][1], 'utf8')
  }
  write('name', rest)
  write('mode', '0000600\0')
  write('uid', '0000000\0')
  write('gid', '0000000\0')
  write('size', `${byteCount.toString(8).padStart(11, '0')}\0`)
  write('mtime', '00000000000\0')
  write('type', '0')
  write('magic', 'ustar\u000000')
  write('prefix', prefix)
  write('checksum', `${checksumOf(header).toString(8).padStart(6, '0')}\0 `)
  return header
}

/** The header of these 512 bytes; undefined when they are none of ours, such as the zeros at the end. */
export function decodeTarHeader(header: Buffer): TarHeader | undefined {
  const read = (field: keyof typeof fields) => {
    const [start, length] = fields[field]
    return (header.toString('utf8', start, start + length).split('\0')[0] ?? '').trim()
  }
  if (read('magic') !== 'ustar' || read('type') !== '0') return undefined
  if (!/^[0-7]+$/.test(read('size')) || Number.parseInt(read('checksum'), 8) !== checksumOf(header))
    return undefined
  const prefix = read('prefix')
  return {
    name: prefix === '' ? read('name') : `${prefix}/${read('name')}`,
    byteCount: Number.parseInt(read('size'), 8),
  }
}

/** The zeros that fill an entry's last block. */
export function paddingAfter(byteCount: number): number {
  return (tarBlockBytes - (byteCount % tarBlockBytes)) % tarBlockBytes
}

function splitName(name: string): { prefix: string; rest: string } {
  if (Buffer.byteLength(name) <= longestName) return { prefix: '', rest: name }
  for (let at = name.indexOf('/'); at >= 0; at = name.indexOf('/', at + 1)) {
    const [prefix, rest] = [name.slice(0, at), name.slice(at + 1)]
    if (Buffer.byteLength(prefix) <= longestPrefix && Buffer.byteLength(rest) <= longestName)
      return { prefix, rest }
  }
  throw new Error(`the name ${name} doesn't fit into a tar header`)
}

/** The sum of all bytes, those of the checksum itself counted as spaces. */
function checksumOf(header: Buffer): number {
  const [start, length] = fields.checksum
  return header.reduce(
    (sum, byte, at) => sum + (at >= start && at < start + length ? 0x20 : byte),
    0,
  )
}
