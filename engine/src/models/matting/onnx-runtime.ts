/** The little of onnxruntime-node 1.30 that is used; it comes by an installation apart. */
export interface OnnxRuntime {
  Tensor: new (type: 'float32', values: Float32Array, dims: readonly number[]) => OnnxTensor
  InferenceSession: {
    create(model: Uint8Array, options: object): Promise<OnnxSession>
  }
}

export interface OnnxTensor {
  readonly type: string
  readonly dims: readonly number[]
  readonly data: unknown
}

export interface OnnxSession {
  readonly inputNames: readonly string[]
  readonly outputNames: readonly string[]
  run(
    feeds: Record<string, OnnxTensor>,
    fetches: readonly string[],
  ): Promise<Record<string, OnnxTensor>>
}
