/** What a reporter's text names: a picture's own id, or the id of its public link. */
export type PictureReference = { generationId: string } | { shareId: string }

const uuid = /(?<![\da-f-])[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}(?![\da-f-])/
const shareInLink = /[?&]selfie=([\w-]{22})(?![\w-])|\/api\/shares\/([\w-]{22})(?![\w-])/

/** What stands between spaces and quotes, and has a part by which a picture's address can be known. */
const pictureAddress = /[^\s"'<>]*(?:signature|selfie=|\/pictures\/|\/shares\/)[^\s"'<>]*/gi

/** A reporter's text for whoever may not open pictures: without the addresses that open one. */
export function hidePictureAddresses(text: string): string {
  return text.replaceAll(pictureAddress, '[a picture]')
}

/** Reads a public link, a picture's address or its id, on any host; undefined for anything else. */
export function readPictureReference(text: string): PictureReference | undefined {
  const share = shareInLink.exec(text)
  const shareId = share?.[1] ?? share?.[2]
  if (shareId !== undefined) return { shareId }
  const generationId = uuid.exec(text.toLowerCase())?.[0]
  return generationId === undefined ? undefined : { generationId }
}
