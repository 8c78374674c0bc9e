/** Why stored layers, or an arrangement of them, can't be drawn. */
export type LayersFault =
  /** Bytes that this version of the engine didn't write, or not all of them. */
  | 'layers_unreadable'
  /** The arrangement has other people than the layers. */
  | 'arrangement_unfit'
  /** The caption has letters for which there are no outlines. */
  | 'caption_unreadable'

/** An expected failure with layers; the photos they were made of are not to blame. */
export class LayersError extends Error {
  override name = 'LayersError'
  readonly code: LayersFault

  constructor(code: LayersFault, options?: ErrorOptions) {
    super(code, options)
    this.code = code
  }
}

/** @throws LayersError `layers_unreadable` */
export function requireFit(fits: boolean): asserts fits {
  if (!fits) throw new LayersError('layers_unreadable')
}
