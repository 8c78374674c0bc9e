import { crc32 } from 'node:zlib'

/** One file of an archive. */
export interface ZipFile {
  /** Path within the archive, ASCII, with forward slashes. */
  name: string
  modifiedAt: Date
  bytes: Uint8Array
}

/** Sizes of the classic format are 32 bits; more would need its 64-bit extension. */
const bytesMax = 0xf000_0000

/**
 * Writes a ZIP archive (APPNOTE.TXT 6.3.10) file by file, so that only one is in memory at a time.
 * Files are stored as they are, since pictures don't get smaller. Throws RangeError beyond 3.7 GB.
 */
export async function* writeZip(files: AsyncIterable<ZipFile>): AsyncGenerator<Buffer> {
  const directory: Buffer[] = []
  let offset = 0
  for await (const { name, modifiedAt, bytes } of files) {
    const fields = describeFile(name, modifiedAt, bytes)
    const header = Buffer.concat([signature(0x04034b50), fields.common, fields.name])
    directory.push(centralEntry(fields, offset))
    offset += header.length + bytes.length
    if (offset > bytesMax) throw new RangeError('the archive is too large')
    yield header
    yield Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  }
  const central = Buffer.concat(directory)
  yield central
  const end = Buffer.alloc(22)
  end.writeUInt32LE(0x06054b50, 0)
  end.writeUInt16LE(directory.length, 8)
  end.writeUInt16LE(directory.length, 10)
  end.writeUInt32LE(central.length, 12)
  end.writeUInt32LE(offset, 16)
  yield end
}

/** What a file's own header and its entry in the directory have in common. */
function describeFile(name: string, modifiedAt: Date, bytes: Uint8Array) {
  const common = Buffer.alloc(26)
  // Version 2.0, no flags, stored.
  common.writeUInt16LE(20, 0)
  const { date, time } = dosTime(modifiedAt)
  common.writeUInt16LE(time, 6)
  common.writeUInt16LE(date, 8)
  common.writeUInt32LE(crc32(bytes), 10)
  common.writeUInt32LE(bytes.length, 14)
  common.writeUInt32LE(bytes.length, 18)
  common.writeUInt16LE(Buffer.byteLength(name, 'latin1'), 22)
  return { common, name: Buffer.from(name, 'latin1') }
}

function centralEntry(fields: { common: Buffer; name: Buffer }, offset: number): Buffer {
  const versionMadeBy = Buffer.from([20, 0])
  // No comment, first disk, no attributes; then where the file's header lies.
  const rest = Buffer.alloc(14)
  rest.writeUInt32LE(offset, 10)
  return Buffer.concat([signature(0x02014b50), versionMadeBy, fields.common, rest, fields.name])
}

function signature(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32LE(value)
  return bytes
}

/** MS-DOS date and time in UTC: two-second steps from 1980 on. */
function dosTime(at: Date): { date: number; time: number } {
  const year = Math.min(2107, Math.max(1980, at.getUTCFullYear()))
  return {
    date: ((year - 1980) << 9) | ((at.getUTCMonth() + 1) << 5) | at.getUTCDate(),
    time: (at.getUTCHours() << 11) | (at.getUTCMinutes() << 5) | (at.getUTCSeconds() >> 1),
  }
}
