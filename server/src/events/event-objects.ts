/** The event's own pictures: the file of their address, their type, and the column of their key. */
export const eventPictures = {
  'background.jpg': { mediaType: 'image/jpeg', column: 'background_key' },
  'frame.png': { mediaType: 'image/png', column: 'frame_key' },
} as const
export type EventPicture = keyof typeof eventPictures

/** True for a file of an event. */
export function isEventPicture(file: string): file is EventPicture {
  return Object.hasOwn(eventPictures, file)
}

/** A key of its own for each upload, so that no browser shows the picture before. */
export function newEventKey(eventId: string, file: EventPicture): string {
  const [name, ending] = file.split('.')
  return `events/${eventId}/${name}-${crypto.randomUUID()}.${ending}`
}
