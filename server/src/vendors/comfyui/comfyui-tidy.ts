import { callComfy, uploadPicture } from './comfyui-calls.ts'
import type { ComfyServer } from './comfyui-calls.ts'

/** A white pixel (PNG, written by sharp). */
const pixel = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGP4//8/AAX+Av4N70a4AAAAAElFTkSuQmCC',
  'base64',
)

/** The names of a request's photos in ComfyUI's folder of temporary files. */
export function photoNames(requestId: string): string[] {
  return [1, 2, 3].map((place) => `starside-${requestId}-${place}.jpg`)
}

/**
 * Overwrites what a request has left in the temporary files, photos and pictures, with a white pixel,
 * and deletes it from the history: ComfyUI has no call that deletes files. What a graph of the
 * operator's saves elsewhere stays.
 */
export async function overwrite(
  server: ComfyServer,
  { requestId, urls }: { requestId: string; urls: readonly string[] },
  signal: AbortSignal,
): Promise<void> {
  const pictures = urls
    .map((url) => new URL(url).searchParams)
    .filter((result) => result.get('type') === 'temp')
    .map((result) => ({
      name: result.get('filename') ?? '',
      subfolder: result.get('subfolder') ?? '',
    }))
  const files = [...photoNames(requestId).map((name) => ({ name, subfolder: '' })), ...pictures]
  for (const file of files) {
    await uploadPicture(server, { bytes: pixel, mediaType: 'image/png', ...file }, signal)
  }
  await callComfy(server, '/history', { body: { delete: [requestId] }, signal })
}
