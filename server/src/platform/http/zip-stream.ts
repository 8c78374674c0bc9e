import { Zip, ZipPassThrough } from 'fflate'

/** One file of an archive. */
export interface ZipFile {
  /** Path within the archive, with forward slashes. */
  name: string
  modifiedAt: Date
  bytes: Uint8Array
}

/** Sizes of the classic format are 32 bits; more would need its 64-bit extension. */
const bytesMax = 0xf000_0000
/** Its time begins in 1980. */
const earliestMs = Date.UTC(1980, 0, 1)

/** Writes a ZIP archive, uncompressed, one file in memory at a time. RangeError beyond 3.7 GB. */
export async function* writeZip(files: AsyncIterable<ZipFile>): AsyncGenerator<Uint8Array> {
  const chunks: Uint8Array[] = []
  let byteCount = 0
  const zip = new Zip((error, chunk) => {
    if (error !== null) throw error
    chunks.push(chunk)
    byteCount += chunk.length
  })
  for await (const { name, modifiedAt, bytes } of files) {
    const file = new ZipPassThrough(name)
    // An archive has the time of a clock on the wall: that of UTC.
    const zoneMs = modifiedAt.getTimezoneOffset() * 60_000
    file.mtime = Math.max(earliestMs, modifiedAt.getTime()) + zoneMs
    zip.add(file)
    file.push(bytes, true)
    if (byteCount > bytesMax) throw new RangeError('the archive is too large')
    yield* chunks.splice(0)
  }
  zip.end()
  yield* chunks
}
