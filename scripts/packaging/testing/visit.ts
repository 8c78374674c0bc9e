import { setTimeout as delay } from 'node:timers/promises'
import { generateForm } from '@starside/server/testing/generate-form.ts'

/** What somebody types to register; the e-mail address is new each time. */
export const newVisitor = () => ({
  email: `visitor-${crypto.randomUUID()}@one.example`,
  password: 'a long secret',
  username: 'Mo Doe',
})

/** Registers or signs in over HTTP and answers the session's token. */
export async function signIn(
  url: string,
  action: 'register' | 'login',
  visitor: ReturnType<typeof newVisitor>,
): Promise<string> {
  const response = await fetch(`${url}/api/auth?action=${action}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(visitor),
  })
  const body = (await response.json()) as { token?: string }
  if (body.token === undefined) throw new Error(`${action}: ${JSON.stringify(body)}`)
  return body.token
}

/** What the API answers of one selfie. */
interface Generation {
  readonly generationId: string
  readonly state: 'running' | 'done' | 'failed'
  readonly imageUrl: string | null
}

/**
 * Makes a selfie with a demonstration photo, however long it takes, and downloads it.
 *
 * @param presetId a star that this version has
 * @returns the picture's bytes, a JPEG
 */
export async function makeSelfie(
  url: string,
  token: string,
  presetId?: string,
): Promise<Uint8Array> {
  const authorization = `Bearer ${token}`
  let generation = await readGeneration(`${url}/api/ai?action=generate`, {
    method: 'POST',
    headers: { authorization, prefer: 'respond-async' },
    body: await generateForm(presetId === undefined ? {} : { presetId }),
  })
  while (generation.state === 'running') {
    await delay(200)
    const address = `${url}/api/generations/${generation.generationId}`
    generation = await readGeneration(address, { headers: { authorization } })
  }
  if (generation.imageUrl === null) throw new Error(JSON.stringify(generation))
  return downloadPicture(url, generation.imageUrl)
}

async function readGeneration(address: string, request: RequestInit): Promise<Generation> {
  const response = await fetch(address, request)
  const body = (await response.json()) as { generation?: Generation }
  if (body.generation === undefined) throw new Error(`${address}: ${JSON.stringify(body)}`)
  return body.generation
}

/** Downloads every picture of the person's history, newest first. */
export async function downloadHistory(url: string, token: string): Promise<Uint8Array[]> {
  const response = await fetch(`${url}/api/generations`, {
    headers: { authorization: `Bearer ${token}` },
  })
  const { items } = (await response.json()) as { items: Pick<Generation, 'imageUrl'>[] }
  const addresses = items.flatMap(({ imageUrl }) => (imageUrl === null ? [] : [imageUrl]))
  return Promise.all(addresses.map((address) => downloadPicture(url, address)))
}

async function downloadPicture(url: string, address: string): Promise<Uint8Array> {
  const response = await fetch(new URL(address, url))
  if (!response.ok) throw new Error(`${address}: ${response.status}`)
  return new Uint8Array(await response.arrayBuffer())
}

/**
 * Waits until the program says that it is ready.
 *
 * @param hasEnded true once it can't become ready any more
 * @returns false when it ended before
 */
export async function waitUntilReady(url: string, hasEnded: () => boolean): Promise<boolean> {
  for (;;) {
    const isReady = await fetch(`${url}/api/health/ready`).then(
      ({ ok }) => ok,
      () => false,
    )
    if (isReady) return true
    if (hasEnded()) return false
    await delay(50)
  }
}
