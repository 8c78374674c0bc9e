import { readSmallPhoto } from './test-photo.ts'

/** The form of `generate` with a small real photo; `undefined` leaves a field out. */
export async function generateForm(
  overrides: Record<string, string | Uint8Array | undefined> = {},
): Promise<FormData> {
  const fields: Record<string, string | Uint8Array | undefined> = {
    userPhoto: await readSmallPhoto(),
    presetId: 'elena-vassandri',
    ...overrides,
  }
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) {
    if (typeof value === 'string') form.set(name, value)
    else if (value !== undefined) {
      form.set(name, new Blob([Uint8Array.from(value)], { type: 'image/jpeg' }), 'photo.jpg')
    }
  }
  return form
}
