import type { InspectAnswer } from '@starside/contract/generation.ts'
import { call } from '../api/call.ts'

/** Asks the server what would spoil a picture made from this photo. Free of charge. */
export function inspectPhoto(file: File, signal: AbortSignal): Promise<InspectAnswer> {
  const form = new FormData()
  form.set('photo', file)
  return call('POST /api/ai?action=inspect', { body: form, signal })
}
