import { createHash } from 'node:crypto'
import { zstdCompressSync, zstdDecompressSync } from 'node:zlib'
import { engineVersion } from '../../engine-version.ts'
import { LayersError, requireFit } from './layers-error.ts'

/** Stored layers: kind, version, SHA-256 of the rest, compressed JSON header, its sections. */

const magic = Buffer.from('StarsideLayers')
/** Changes when the sections do. */
const formatVersion = 1
const versionAt = magic.length
const engineAt = versionAt + 2
const digestAt = engineAt + 4
const headerLengthAt = digestAt + 32
const headerAt = headerLengthAt + 4

const fileBytesMax = 16_000_000
const headerBytesMax = 4_000_000

export interface LayersFile {
  header: Record<string, unknown>
  sections: readonly Uint8Array[]
}

export function writeLayersFile({ header, sections }: LayersFile): Uint8Array {
  const lengths = sections.map(({ length }) => length)
  const json = zstdCompressSync(Buffer.from(JSON.stringify({ ...header, lengths })))
  const start = Buffer.alloc(headerAt)
  magic.copy(start)
  start.writeUInt16LE(formatVersion, versionAt)
  start.writeUInt32LE(engineVersion, engineAt)
  start.writeUInt32LE(json.length, headerLengthAt)
  const file = Buffer.concat([start, json, ...sections])
  digestOf(file).copy(file, digestAt)
  return file
}

/** Reads bytes of any content; throws LayersError. */
export function readLayersFile(bytes: Uint8Array): LayersFile {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  requireFit(file.length >= headerAt && file.length <= fileBytesMax)
  requireFit(file.subarray(0, magic.length).equals(magic))
  requireFit(file.readUInt16LE(versionAt) === formatVersion)
  requireFit(file.readUInt32LE(engineAt) === engineVersion)
  requireFit(file.subarray(digestAt, headerLengthAt).equals(digestOf(file)))
  const headerEnd = headerAt + file.readUInt32LE(headerLengthAt)
  const header = readHeader(file.subarray(headerAt, headerEnd))
  const { lengths } = header
  requireFit(Array.isArray(lengths))
  let at = headerEnd
  const sections = lengths.map((length: unknown) => {
    requireFit(Number.isInteger(length) && Number(length) >= 0)
    const section = file.subarray(at, at + Number(length))
    at += Number(length)
    return section
  })
  requireFit(at === file.length)
  return { header, sections }
}

function readHeader(compressed: Uint8Array): Record<string, unknown> {
  try {
    const json = zstdDecompressSync(compressed, { maxOutputLength: headerBytesMax })
    const header: unknown = JSON.parse(json.toString())
    if (typeof header === 'object' && header !== null) return { ...header }
  } catch (cause) {
    throw new LayersError('layers_unreadable', { cause })
  }
  throw new LayersError('layers_unreadable')
}

/** Over all that follows the digest. */
function digestOf(file: Buffer): Buffer {
  return createHash('sha256').update(file.subarray(headerLengthAt)).digest()
}
