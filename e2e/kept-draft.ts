/** Runs in the page: which photos and preset star the kept draft has, and its wishes; null before it is written. */
export async function readKeptDraft(): Promise<unknown> {
  // To look for it must not make it.
  if (!(await indexedDB.databases()).some(({ name }) => name === 'selfie_draft')) return null
  const database = await new Promise<IDBDatabase>((resolve, reject) => {
    const request = indexedDB.open('selfie_draft')
    request.addEventListener('success', () => resolve(request.result))
    request.addEventListener('error', () => reject(new Error('not opened')))
  })
  interface Kept {
    wishes: { prompt: string; consent: boolean }
    mine: unknown
    used: unknown
    star?: { custom: unknown; presetId: string | null }
    second: { custom: unknown } | null
    background: unknown
  }
  const entry = await new Promise<Kept | undefined>((resolve) => {
    const request = database.transaction('entries').objectStore('entries').get('only')
    request.addEventListener('success', () => resolve(request.result))
  })
  database.close()
  // Made, and not yet written to.
  if (entry === undefined) return null
  const { prompt, consent } = entry.wishes
  const { mine, used, star, second, background } = entry
  const kept = { mine, used, custom: star?.custom, secondCustom: second?.custom, background }
  const photos = Object.entries(kept).flatMap(([name, photo]) => (photo ? [name] : []))
  return { photos, presetId: star?.presetId ?? null, prompt, consent }
}
