import { keptPhotosLifetimeMs } from '@starside/contract/installed-app.ts'

/** Databases (W3C, IndexedDB 3.0) with one entry each, for page and service worker: chosen photos. */
export type PhotoStore = 'selfie_draft' | 'shared_photo'

/** When an entry was written, in milliseconds since 1970; every entry says so. */
type Entry = { savedAtMs: number }

const table = 'entries'
const key = 'only'

/** Writes the entry in place of the one before. Throws `DOMException` where the browser stores nothing. */
export async function writeEntry(store: PhotoStore, entry: Entry): Promise<void> {
  await withTable(store, 'readwrite', (entries) => entries.put(entry, key))
}

/** The entry as a version of the app wrote it, maybe an older one; undefined when there is none, and where the browser stores nothing. */
export async function readEntry<Kept extends Entry>(
  store: PhotoStore,
): Promise<Partial<Kept> | undefined> {
  return withTable(store, 'readonly', (entries) => entries.get(key)).catch(() => undefined)
}

/** Removes the database and with it every trace of the entry. */
export async function removeEntry(store: PhotoStore): Promise<void> {
  try {
    await done(indexedDB.deleteDatabase(store))
  } catch {
    // A browser that stores nothing has nothing to remove.
  }
}

/** Removes what nobody used within its lifetime. */
export async function dropOldEntries(nowMs: number): Promise<void> {
  for (const store of ['selfie_draft', 'shared_photo'] as const) {
    const entry = await readEntry(store)
    if (entry && !isAlive(entry, nowMs)) await removeEntry(store)
  }
}

/** True for an entry that may still be used. */
export function isAlive({ savedAtMs }: Partial<Entry>, nowMs: number): boolean {
  return savedAtMs !== undefined && nowMs - savedAtMs < keptPhotosLifetimeMs
}

async function withTable<Result>(
  store: PhotoStore,
  mode: IDBTransactionMode,
  work: (entries: IDBObjectStore) => IDBRequest<Result>,
): Promise<Result> {
  const opening = indexedDB.open(store, 1)
  opening.addEventListener('upgradeneeded', () => {
    // To look for an entry makes no database.
    if (mode === 'readonly') opening.transaction?.abort()
    else opening.result.createObjectStore(table)
  })
  const database = await done(opening)
  // Signing out in another tab removes the database; it would wait for this one to be closed.
  database.addEventListener('versionchange', () => database.close())
  try {
    return await done(work(database.transaction(table, mode).objectStore(table)))
  } finally {
    database.close()
  }
}

function done<Result>(request: IDBRequest<Result>): Promise<Result> {
  return new Promise((resolve, reject) => {
    request.addEventListener('success', () => resolve(request.result))
    request.addEventListener('error', () => reject(request.error ?? new Error('No reason given')))
  })
}

type SharedPhoto = Entry & { photo: File }

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
