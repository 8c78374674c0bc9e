import type { InspectAnswer } from '@starside/contract/generation.ts'
import { call } from '../api/call.ts'

/** Whether a photo shows somebody who is to be in the picture, or the place behind them. */
export type PhotoKind = 'person' | 'background'

/** Asks the server what would spoil a picture made from this photo. Free of charge. */
export function inspectPhoto(
  file: File,
  kind: PhotoKind,
  signal: AbortSignal,
): Promise<InspectAnswer> {
  const form = new FormData()
  form.set('photo', file)
  if (kind === 'background') form.set('isBackground', 'true')
  return call('POST /api/ai?action=inspect', { body: form, signal })
}
