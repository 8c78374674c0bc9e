import { crc32 } from 'node:zlib'

/** The name written as the provider of a picture where the installation has none of its own. */
export const systemName = 'Starside'

/** Real photos put together by a trained model: https://cv.iptc.org/newscodes/digitalsourcetype/ */
export const digitalSourceType =
  'http://cv.iptc.org/newscodes/digitalsourcetype/compositeWithTrainedAlgorithmicMedia'

/** Keyword of the iTXt chunk that XMP has in a PNG (XMP specification, part 3, section 1.1.5). */
const pngXmpKeyword = 'XML:com.adobe.xmp'

/**
 * The XMP packet that informs programs and platforms that the picture was made, and by what:
 * IPTC Photo Metadata 2025.1 `DigitalSourceType`, `AISystemUsed`, `AISystemVersionUsed`.
 * @param system the installation's name and the program's version
 */
export function provenanceXmp(system: { name?: string | undefined; version: string }): string {
  const name = escapeXml(system.name ?? systemName)
  const version = escapeXml(system.version)
  return `<?xpacket begin="\uFEFF" id="W5M0MpCehiHzreSzNTczkc9d"?>
<x:xmpmeta xmlns:x="adobe:ns:meta/">
 <rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
  <rdf:Description rdf:about=""
    xmlns:xmp="http://ns.adobe.com/xap/1.0/"
    xmlns:Iptc4xmpExt="http://iptc.org/std/Iptc4xmpExt/2008-02-29/"
    xmp:CreatorTool="${name} ${version}"
    Iptc4xmpExt:DigitalSourceType="${digitalSourceType}"
    Iptc4xmpExt:AISystemUsed="${name}"
    Iptc4xmpExt:AISystemVersionUsed="${version}"/>
 </rdf:RDF>
</x:xmpmeta>
<?xpacket end="r"?>`
}

/**
 * Puts an XMP packet into a PNG as the iTXt chunk that readers look for, right behind the header.
 * libvips writes a compressed zTXt chunk instead, which several readers miss.
 * @param png a whole PNG file without XMP
 */
export function insertPngXmp(png: Uint8Array, xmp: string): Uint8Array {
  // Keyword, end of keyword, not compressed, method 0, no language, no translated keyword.
  const body = Buffer.concat([Buffer.from(`${pngXmpKeyword}\0\0\0\0\0`), Buffer.from(xmp)])
  const chunk = Buffer.alloc(12 + body.length)
  chunk.writeUInt32BE(body.length, 0)
  chunk.write('iTXt', 4, 'latin1')
  body.copy(chunk, 8)
  chunk.writeUInt32BE(crc32(chunk.subarray(4, 8 + body.length)), 8 + body.length)
  // The signature has 8 bytes and the IHDR chunk, always the first, has 25.
  return Buffer.concat([png.subarray(0, 33), chunk, png.subarray(33)])
}

function escapeXml(text: string): string {
  return text.replaceAll(/[<>&"']/gu, (character) => `&#${character.codePointAt(0)};`)
}
