/** What a file's XMP says of its origin; anybody can write or remove it. */
export interface XmpProvenance {
  /** A term of IPTC's vocabulary, as a URL. */
  digitalSourceType: string | undefined
  systemName: string | undefined
  systemVersion: string | undefined
}

const packetCharactersMax = 200_000

/** @param packet untrusted XMP; properties are found as attributes and as elements */
export function readXmpProvenance(packet: string): XmpProvenance {
  const bounded = packet.slice(0, packetCharactersMax)
  return {
    digitalSourceType: property(bounded, 'DigitalSourceType'),
    systemName: property(bounded, 'AISystemUsed'),
    systemVersion: property(bounded, 'AISystemVersionUsed'),
  }
}

function property(packet: string, name: string): string | undefined {
  const attribute = new RegExp(`Iptc4xmpExt:${name}\\s*=\\s*["']([^"'<]{1,300})["']`, 'u')
  const element = new RegExp(`<Iptc4xmpExt:${name}>([^<]{1,300})</Iptc4xmpExt:${name}>`, 'u')
  const value = (attribute.exec(packet) ?? element.exec(packet))?.[1]
  return value === undefined ? undefined : unescapeXml(value.trim())
}

function unescapeXml(text: string): string {
  const named: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }
  return text.replaceAll(/&(?:#(\d{1,7})|(\w{2,4}));/gu, (whole, code: string, entity: string) => {
    if (code === undefined) return named[entity] ?? whole
    const point = Number(code)
    return point > 0 && point <= 0x10ffff ? String.fromCodePoint(point) : whole
  })
}
