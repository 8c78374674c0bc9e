/** A node of a network: what it does, with the names of what it takes and gives. */
export interface OnnxNode {
  operation: string
  inputs: readonly string[]
  outputs: readonly string[]
  /** Attributes that are lists of whole numbers or one of them. */
  attributes?: Readonly<Record<string, number | readonly number[]>>
}

/**
 * Writes a network without weights as an ONNX file: float32 in, float32 out, its input named
 * `input` and its output `output`. Source: onnx.proto of ONNX 1.16 (ModelProto and below).
 * @param nodes in the order they are run
 */
export function makeOnnx(nodes: readonly OnnxNode[]): Uint8Array {
  const operators = message([[2, 13]])
  const graph = message([
    ...nodes.map((node) => [1, nodeOf(node)] as const),
    [2, 'graph'],
    [11, tensorOf('input', 4)],
    [12, tensorOf('output', 4)],
  ])
  return message([
    [1, 8],
    [7, graph],
    [8, operators],
  ])
}

function nodeOf({ operation, inputs, outputs, attributes = {} }: OnnxNode): Uint8Array {
  return message([
    ...inputs.map((name) => [1, name] as const),
    ...outputs.map((name) => [2, name] as const),
    [4, operation],
    ...Object.entries(attributes).map(([name, value]) => [5, attributeOf(name, value)] as const),
  ])
}

const attributeTypes = { whole: 2, wholes: 7 }

function attributeOf(name: string, value: number | readonly number[]): Uint8Array {
  return typeof value === 'number'
    ? message([
        [1, name],
        [3, value],
        [20, attributeTypes.whole],
      ])
    : message([[1, name], ...value.map((one) => [8, one] as const), [20, attributeTypes.wholes]])
}

/** A tensor of float32 whose lengths are any. */
function tensorOf(name: string, dimensions: number): Uint8Array {
  const any = (n: number): Uint8Array => message([[2, `${name}${n}`]])
  const shape = message(Array.from({ length: dimensions }, (_, n) => [1, any(n)] as const))
  const tensor = message([
    [1, 1],
    [2, shape],
  ])
  return message([
    [1, name],
    [2, message([[1, tensor]])],
  ])
}

/** A protobuf message of numbered fields: whole numbers, texts and messages. */
function message(fields: readonly (readonly [number, number | string | Uint8Array])[]): Uint8Array {
  return Buffer.concat(
    fields.flatMap(([number, value]) => {
      if (typeof value === 'number') return [varint(number << 3), varint(value)]
      const bytes = Buffer.from(value)
      return [varint((number << 3) | 2), varint(bytes.length), bytes]
    }),
  )
}

function varint(value: number): Buffer {
  const bytes: number[] = []
  let rest = value
  while (rest > 0x7f) {
    bytes.push((rest & 0x7f) | 0x80)
    rest >>>= 7
  }
  return Buffer.from([...bytes, rest])
}
