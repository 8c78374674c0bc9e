/** What a reporter's text names: a picture's own id, or the id of its public link. */
export type PictureReference = { generationId: string } | { shareId: string }

const uuid = /(?<![\da-f-])[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}(?![\da-f-])/
const shareInLink = /[?&]selfie=([\w-]{22})(?![\w-])|\/api\/shares\/([\w-]{22})(?![\w-])/

/** A part by which a picture's address can be known. */
const addressPart = /signature|selfie=|\/pictures\/|\/shares\//i

/** A reporter's text for whoever may not open pictures: without the addresses that open one. */
export function hidePictureAddresses(text: string): string {
  // Word by word: one pattern for all of it takes a long word as often as it has letters.
  return text.replaceAll(/[^\s"'<>]+/g, (word) => (addressPart.test(word) ? '[a picture]' : word))
}

/** Reads a public link, a picture's address or its id, on any host; undefined for anything else. */
export function readPictureReference(text: string): PictureReference | undefined {
  const share = shareInLink.exec(text)
  const shareId = share?.[1] ?? share?.[2]
  if (shareId !== undefined) return { shareId }
  const generationId = uuid.exec(text.toLowerCase())?.[0]
  return generationId === undefined ? undefined : { generationId }
}
