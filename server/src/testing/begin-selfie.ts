import { expect } from 'vitest'
import { generateForm } from './generate-form.ts'
import { newPerson } from './open-test-app.ts'
import { readPersonPhoto } from './test-photo.ts'

/** Registers somebody at a running program; answers the token. */
export async function registerAt(url: string): Promise<string> {
  const response = await fetch(`${url}/api/auth?action=register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(newPerson()),
  })
  const { token } = (await response.json()) as { token: string }
  return token
}

/**
 * Begins a selfie at a running program without waiting for the picture; answers its id.
 * @param form by default that of a person and a preset
 */
export async function beginSelfie(url: string, token: string, form?: FormData): Promise<string> {
  const taken = await fetch(`${url}/api/ai?action=generate`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, prefer: 'respond-async' },
    body: form ?? (await generateForm({ userPhoto: await readPersonPhoto() })),
  })
  expect(taken.status).toBe(202)
  const answer = (await taken.json()) as { generation: { generationId: string } }
  return answer.generation.generationId
}
