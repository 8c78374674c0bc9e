/** A point or a direction in metres, seen from the camera: right, up, away. */
export type Vector = readonly [number, number, number]

/**
 * The camera that a scene is rendered for: an arm's length before two people, at the height of their
 * eyes, level, so that verticals stay vertical.
 */
export interface SceneCamera {
  /** Of the canvas, in pixels; it is larger than the picture by the margin on all sides. */
  width: number
  height: number
  /** Pixels around the picture, so that what is outside of it is blurred into it. */
  margin: number
  /** One height: that of the picture, or less where it is narrower than 4:5. In pixels. */
  unit: number
  /** Where the vanishing point lies, in pixels of the canvas. */
  centreX: number
  horizonY: number
  /** Pixels that one metre has at a distance of one metre. */
  focal: number
  /** Metres above the floor. */
  aboveFloor: number
  /** Radius of a far point out of focus, in pixels. */
  farRadius: number
  /** Cosine and sine of how far the place is turned about the camera, clockwise from above. */
  turn: readonly [cosine: number, sine: number]
}

/** Distance of the people, which is in focus. Metres. */
const focusDistance = 0.8

export interface CameraOptions {
  /** Of the picture, in pixels. */
  width: number
  height: number
  /** Of the height, from the top. */
  horizon: number
  /** How far the vanishing point lies right of the middle, in heights. */
  shift: number
  /** Radius of a far point out of focus, in heights. */
  farRadius: number
  /** Metres above the floor. */
  aboveFloor?: number | undefined
  /** How far the place is turned about the camera, in radians, clockwise from above. */
  turn?: number | undefined
}

/** Focal length in picture heights, as of a phone's main camera. */
const focalInHeights = 1

export function createCamera(options: CameraOptions): SceneCamera {
  const { width, height, horizon, shift, aboveFloor = 1.6, turn = 0 } = options
  // In a narrow picture people are smaller, and so is what lies behind them.
  const unit = Math.min(height, width / 0.8)
  const farRadius = options.farRadius * unit
  const margin = Math.ceil(farRadius) + 1
  return {
    width: width + 2 * margin,
    height: height + 2 * margin,
    margin,
    unit,
    centreX: margin + width / 2 + shift * unit,
    horizonY: margin + horizon * height,
    focal: focalInHeights * unit,
    aboveFloor,
    farRadius,
    turn: [Math.cos(turn), Math.sin(turn)],
  }
}

/** A point or a direction of the place, as the camera sees it. */
export function turnToCamera({ turn: [cosine, sine] }: SceneCamera, [x, y, z]: Vector): Vector {
  return [x * cosine + z * sine, y, z * cosine - x * sine]
}

/** Where a point before the camera is seen, in pixels of the canvas. */
export function project(camera: SceneCamera, [x, y, z]: Vector): { x: number; y: number } {
  return {
    x: camera.centreX + (camera.focal * x) / z,
    y: camera.horizonY - (camera.focal * y) / z,
  }
}

/** Radius of the circle of confusion of a thin lens, in pixels, for a distance in metres. */
export function blurRadius({ farRadius }: SceneCamera, distance: number): number {
  return farRadius * Math.abs(1 - focusDistance / distance)
}
