/** Those of the contract's `contrast.ts`, which come in front of the script. */
declare function contrastOf(one: string, other: string): number
declare function passingColour(colour: string, grounds: readonly string[], least: number): string
