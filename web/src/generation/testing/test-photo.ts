import type { ChosenPhoto } from '../use-photo.ts'

/** A wide photo (16:9) with one face, whose middle lies at that part of its width, for tests. */
export function photoOf(across: number): ChosenPhoto {
  const face = { x: across - 0.1, y: 0.3, width: 0.2, height: 0.2, isMain: true, refusals: [] }
  const found = { usable: true, faces: [face], refusals: [], hints: [] }
  const answer = { success: true as const, ...found, widthPx: 1600, heightPx: 900 }
  return {
    prepared: { file: new File(['a'], 'me.jpg'), readable: true, widthPx: 1600, heightPx: 900 },
    check: { state: 'answered', answer },
    faceIndex: null,
  }
}

/** A photo that a picture is compared with, for tests. */
export const ownPhoto = { photo: photoOf(0.5), address: '/me.jpg' }
