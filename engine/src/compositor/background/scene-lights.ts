import type { Scene } from '../../image-provider.ts'

export type DrawnScene = Exclude<Scene, 'own'>

/** The light that a scene throws on the people in it, and how the camera sees the scene. */
export interface SceneLight {
  /** Change of both people's exposure, in stops. */
  stops: number
  /** How much darker they get towards the lower edge of the picture, in stops. */
  bottomStops: number
  /** Factor on the contrast of faces. */
  contrast: number
  /** How much of the scene's own mean colour the light has, 0…1. */
  cast: number
  /** Where the main light comes from: towards the scene's side, up, to the camera. */
  key: readonly [number, number, number]
  /** How much brighter it makes what faces it than what is turned away, in stops. */
  keyStops: number
  /** Strength of the light that comes from behind and falls on the rims, 0…1. */
  rim: number
  /** Radius of a far lamp out of focus, in picture heights. */
  farRadius: number
}

const daylight = { stops: 0, bottomStops: 0.2, contrast: 1, cast: 0.1, rim: 0.25, farRadius: 0.02 }

export const sceneLights: Record<DrawnScene, SceneLight> = {
  'red-carpet': {
    stops: -0.1,
    bottomStops: 0.45,
    contrast: 1.03,
    cast: 0.14,
    key: [0.3, 0.35, 0.9],
    keyStops: 0.6,
    rim: 0.4,
    farRadius: 0.02,
  },
  'city-night': {
    stops: -0.6,
    bottomStops: 0.8,
    contrast: 1.08,
    cast: 0.18,
    key: [0.75, 0.25, 0.55],
    keyStops: 1.1,
    rim: 0.55,
    farRadius: 0.023,
  },
  'sunny-street': { ...daylight, stops: 0.1, key: [0.55, 0.6, 0.5], keyStops: 0.8, rim: 0.3 },
  studio: {
    ...daylight,
    bottomStops: 0.35,
    cast: 0.05,
    key: [0.6, 0.5, 0.6],
    keyStops: 0.9,
    rim: 0.2,
    farRadius: 0.03,
  },
  stage: {
    stops: -0.5,
    bottomStops: 0.9,
    contrast: 1.08,
    cast: 0.16,
    key: [0.4, 0.5, 0.6],
    keyStops: 0.9,
    rim: 0.5,
    farRadius: 0.022,
  },
  stadium: {
    ...daylight,
    stops: -0.15,
    bottomStops: 0.35,
    key: [0.3, 0.7, 0.5],
    keyStops: 0.7,
    rim: 0.35,
  },
  'beach-dusk': {
    stops: -0.3,
    bottomStops: 0.35,
    contrast: 0.97,
    cast: 0.25,
    key: [0.8, 0.2, 0.4],
    keyStops: 0.9,
    rim: 0.45,
    farRadius: 0.02,
  },
  cafe: {
    stops: -0.2,
    bottomStops: 0.4,
    contrast: 1.02,
    cast: 0.14,
    key: [0.8, 0.3, 0.5],
    keyStops: 1,
    rim: 0.35,
    farRadius: 0.02,
  },
}
