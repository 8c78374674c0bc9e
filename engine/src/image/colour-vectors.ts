/** Four floats a pixel: red, green and blue of 0…255, and one without meaning; rows from the top. */
export interface ColourVectors {
  readonly data: Float32Array
  readonly width: number
  readonly height: number
}
