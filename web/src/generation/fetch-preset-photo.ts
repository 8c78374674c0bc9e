import type { CelebrityPreset } from '@starside/contract/presets.ts'

/** A preset's picture as a file, as the `generate` call takes it. Throws when it does not load. */
export async function fetchPresetPhoto(preset: CelebrityPreset): Promise<File> {
  const response = await fetch(preset.image)
  if (!response.ok) throw new Error(`Preset picture: ${response.status}`)
  const blob = await response.blob()
  return new File([blob], `${preset.id}.${blob.type.split('/')[1] ?? 'jpg'}`, { type: blob.type })
}
