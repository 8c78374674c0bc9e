/**
 * Reads a stored archive by its directory, as any program does: contents by name. Throws where the bytes
 * are no archive.
 */
export function readZip(archive: Buffer): Map<string, Buffer> {
  const files = new Map<string, Buffer>()
  const end = archive.length - 22
  if (archive.readUInt32LE(end) !== 0x06054b50)
    throw new Error('an archive ends with its directory')
  let at = archive.readUInt32LE(end + 16)
  for (let left = archive.readUInt16LE(end + 10); left > 0; left -= 1) {
    const nameLength = archive.readUInt16LE(at + 28)
    const size = archive.readUInt32LE(at + 20)
    const header = archive.readUInt32LE(at + 42)
    const name = archive.toString('latin1', at + 46, at + 46 + nameLength)
    const start = header + 30 + nameLength
    files.set(name, archive.subarray(start, start + size))
    at += 46 + nameLength
  }
  return files
}
