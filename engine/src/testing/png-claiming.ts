import { crc32, deflateSync } from 'node:zlib'

/**
 * An RGB PNG for tests whose header claims any size, over zeros that are packed into a thousandth
 * of their length.
 *
 * @param dataBytes length of the picture data before it is packed
 */
export function pngClaiming(widthPx: number, heightPx: number, dataBytes: number): Buffer {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(widthPx, 0)
  header.writeUInt32BE(heightPx, 4)
  header.set([8, 2, 0, 0, 0], 8)
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    pngChunk('IHDR', header),
    pngChunk('IDAT', deflateSync(Buffer.alloc(dataBytes))),
    pngChunk('IEND', Buffer.alloc(0)),
  ])
}

function pngChunk(type: string, body: Uint8Array): Buffer {
  const chunk = Buffer.alloc(12 + body.length)
  chunk.writeUInt32BE(body.length, 0)
  chunk.write(type, 4, 'latin1')
  chunk.set(body, 8)
  chunk.writeUInt32BE(crc32(chunk.subarray(4, 8 + body.length)), 8 + body.length)
  return chunk
}
