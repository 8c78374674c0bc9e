declare namespace __AdaptedExports {
  /** Exported memory */
  export const memory: WebAssembly.Memory;
  /**
   * kernels/halve
   * @param source `i32`
   * @param sourceWidth `i32`
   * @param target `i32`
   * @param width `i32`
   * @param height `i32`
   */
  export function halve(source: number, sourceWidth: number, target: number, width: number, height: number): void;
  /**
   * kernels/shrinkToThird
   * @param source `i32`
   * @param sourceWidth `i32`
   * @param target `i32`
   * @param width `i32`
   * @param height `i32`
   */
  export function shrinkToThird(source: number, sourceWidth: number, target: number, width: number, height: number): void;
  /**
   * kernels/enlarge
   * @param source `i32`
   * @param sourceBytes `i32`
   * @param target `i32`
   * @param width `i32`
   * @param rows `i32`
   * @param channels `i32`
   * @param rowPlaces `i32`
   * @param columnPlaces `i32`
   * @param line `i32`
   */
  export function enlarge(source: number, sourceBytes: number, target: number, width: number, rows: number, channels: number, rowPlaces: number, columnPlaces: number, line: number): void;
  /**
   * kernels/blurRows
   * @param source `i32`
   * @param target `i32`
   * @param width `i32`
   * @param height `i32`
   * @param radius `i32`
   */
  export function blurRows(source: number, target: number, width: number, height: number, radius: number): void;
  /**
   * kernels/blurColumns
   * @param source `i32`
   * @param target `i32`
   * @param sums `i32`
   * @param width `i32`
   * @param height `i32`
   * @param radius `i32`
   */
  export function blurColumns(source: number, target: number, sums: number, width: number, height: number, radius: number): void;
  /**
   * kernels/blurVectorRows
   * @param source `i32`
   * @param target `i32`
   * @param width `i32`
   * @param height `i32`
   * @param radius `i32`
   */
  export function blurVectorRows(source: number, target: number, width: number, height: number, radius: number): void;
  /**
   * kernels/guidedCoefficients
   * @param guide `i32`
   * @param matte `i32`
   * @param sums `i32`
   * @param target `i32`
   * @param width `i32`
   * @param height `i32`
   * @param radius `i32`
   * @param epsilon `f64`
   */
  export function guidedCoefficients(guide: number, matte: number, sums: number, target: number, width: number, height: number, radius: number, epsilon: number): void;
  /**
   * kernels/applyCoefficients
   * @param colours `i32`
   * @param coefficients `i32`
   * @param smallWidth `i32`
   * @param smallHeight `i32`
   * @param line `i32`
   * @param indices `i32`
   * @param fractions `i32`
   * @param target `i32`
   * @param width `i32`
   * @param height `i32`
   * @param fromRow `i32`
   * @param rows `i32`
   */
  export function applyCoefficients(colours: number, coefficients: number, smallWidth: number, smallHeight: number, line: number, indices: number, fractions: number, target: number, width: number, height: number, fromRow: number, rows: number): void;
  /**
   * kernels/weightColours
   * @param colours `i32`
   * @param alpha `i32`
   * @param person `i32`
   * @param rest `i32`
   * @param count `i32`
   */
  export function weightColours(colours: number, alpha: number, person: number, rest: number, count: number): void;
  /**
   * kernels/fuseColours
   * @param colours `i32`
   * @param alpha `i32`
   * @param person `i32`
   * @param rest `i32`
   * @param count `i32`
   */
  export function fuseColours(colours: number, alpha: number, person: number, rest: number, count: number): void;
  /**
   * kernels/blendRows
   * @param params `i32`
   */
  export function blendRows(params: number): void;
  /**
   * kernels/localDetail
   * @param source `i32`
   * @param detail `i32`
   * @param power `i32`
   * @param across `i32`
   * @param sums `i32`
   * @param width `i32`
   * @param height `i32`
   * @param meanRadius `i32`
   * @param powerRadius `i32`
   */
  export function localDetail(source: number, detail: number, power: number, across: number, sums: number, width: number, height: number, meanRadius: number, powerRadius: number): void;
  /**
   * kernels/foldTiles
   * @param detail `i32`
   * @param power `i32`
   * @param width `i32`
   * @param height `i32`
   * @param powerMin `f64`
   * @param tile `i32`
   * @param tileSide `i32`
   */
  export function foldTiles(detail: number, power: number, width: number, height: number, powerMin: number, tile: number, tileSide: number): void;
  /**
   * kernels/localMinimum
   * @param source `i32`
   * @param across `i32`
   * @param target `i32`
   * @param width `i32`
   * @param height `i32`
   * @param radius `i32`
   */
  export function localMinimum(source: number, across: number, target: number, width: number, height: number, radius: number): void;
  /**
   * kernels/addTile
   * @param source `i32`
   * @param target `i32`
   * @param width `i32`
   * @param rows `i32`
   * @param tile `i32`
   * @param tileSide `i32`
   * @param rowPlaces `i32`
   * @param columnPlaces `i32`
   * @param mask `i32`
   * @param maskWidth `i32`
   * @param lines `i32`
   * @param strength `f32`
   * @param state `i32`
   * @returns `i32`
   */
  export function addTile(source: number, target: number, width: number, rows: number, tile: number, tileSide: number, rowPlaces: number, columnPlaces: number, mask: number, maskWidth: number, lines: number, strength: number, state: number): number;
  /**
   * kernels/transformLine
   * @param real `i32`
   * @param imaginary `i32`
   * @param stride `i32`
   * @param side `i32`
   * @param turns `i32`
   * @param sign `f64`
   */
  export function transformLine(real: number, imaginary: number, stride: number, side: number, turns: number, sign: number): void;
  /**
   * kernels/fillNoise
   * @param target `i32`
   * @param count `i32`
   * @param state `i32`
   * @returns `i32`
   */
  export function fillNoise(target: number, count: number, state: number): number;
  /**
   * kernels/develop
   * @param source `i32`
   * @param target `i32`
   * @param grain `i32`
   * @param width `i32`
   * @param rows `i32`
   * @param tables `i32`
   * @param across `i32`
   * @param down `i32`
   * @param numbers `i32`
   */
  export function develop(source: number, target: number, grain: number, width: number, rows: number, tables: number, across: number, down: number, numbers: number): void;
  /**
   * kernels/splitAlpha
   * @param source `i32`
   * @param colours `i32`
   * @param alphas `i32`
   * @param count `i32`
   */
  export function splitAlpha(source: number, colours: number, alphas: number, count: number): void;
  /**
   * kernels/pullColours
   * @param colours `i32`
   * @param weights `i32`
   * @param width `i32`
   * @param height `i32`
   * @param target `i32`
   * @param targetWeights `i32`
   */
  export function pullColours(colours: number, weights: number, width: number, height: number, target: number, targetWeights: number): void;
  /**
   * kernels/pushColours
   * @param colours `i32`
   * @param weights `i32`
   * @param width `i32`
   * @param height `i32`
   * @param coarse `i32`
   */
  export function pushColours(colours: number, weights: number, width: number, height: number, coarse: number): void;
  /**
   * kernels/sampleGrid
   * @param source `i32`
   * @param sampleBytes `i32`
   * @param target `i32`
   * @param width `i32`
   * @param height `i32`
   * @param rows `i32`
   * @param columns `i32`
   * @param factor `f32`
   */
  export function sampleGrid(source: number, sampleBytes: number, target: number, width: number, height: number, rows: number, columns: number, factor: number): void;
  /**
   * kernels/addCrop
   * @param crop `i32`
   * @param cropWidth `i32`
   * @param cropHeight `i32`
   * @param matte `i32`
   * @param hidden `i32`
   * @param width `i32`
   * @param range `i32`
   * @param numbers `i32`
   */
  export function addCrop(crop: number, cropWidth: number, cropHeight: number, matte: number, hidden: number, width: number, range: number, numbers: number): void;
  /**
   * kernels/medianOfCrops
   * @param crops `i32`
   * @param count `i32`
   * @param target `i32`
   * @param width `i32`
   * @param height `i32`
   * @param votes `i32`
   * @param range `i32`
   */
  export function medianOfCrops(crops: number, count: number, target: number, width: number, height: number, votes: number, range: number): void;
  /**
   * kernels/sumPerson
   * @param colours `i32`
   * @param alphas `i32`
   * @param width `i32`
   * @param rows `i32`
   * @param target `i32`
   */
  export function sumPerson(colours: number, alphas: number, width: number, rows: number, target: number): void;
  /**
   * kernels/fillBehind
   * @param colours `i32`
   * @param alphas `i32`
   * @param width `i32`
   * @param rows `i32`
   * @param squares `i32`
   */
  export function fillBehind(colours: number, alphas: number, width: number, rows: number, squares: number): void;
}
/** Instantiates the compiled WebAssembly module with the given imports. */
export declare function instantiate(module: WebAssembly.Module, imports: {
}): Promise<typeof __AdaptedExports>;
