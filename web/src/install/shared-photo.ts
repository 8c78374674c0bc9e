import { isAlive, readEntry, removeEntry, writeEntry } from './photo-store.ts'

interface SharedPhoto {
  photo: File
  savedAtMs: number
}

/** Keeps a photo that the device's share sheet handed over, until the studio takes it. */
export async function keepSharedPhoto(photo: File, nowMs: number): Promise<void> {
  const entry: SharedPhoto = { photo, savedAtMs: nowMs }
  await writeEntry('shared_photo', entry)
}

/** The shared photo, once; null when there is none, or it waited for more than half an hour. */
export async function takeSharedPhoto(nowMs: number): Promise<File | null> {
  const entry = await readEntry<SharedPhoto>('shared_photo')
  await removeEntry('shared_photo')
  return entry?.photo && isAlive(entry, nowMs) ? entry.photo : null
}

/** Removes a shared photo that the studio has not taken, as when somebody signs out. */
export async function forgetSharedPhoto(): Promise<void> {
  await removeEntry('shared_photo')
}
