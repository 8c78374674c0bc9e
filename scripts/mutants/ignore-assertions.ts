import type { Ignorer, NodePath } from '@stryker-mutator/api/ignore'

interface BabelPath {
  readonly node: { readonly type: string }
  toString(this: unknown): string
}

const assertion = /^(?:if \([^{]*\) )?\{?\s*throw new (?:Type|Range)?Error\([^]*\);?\s*\}?$/u
const logCall = /^(?:\w+\.)?log\.(?:debug|info|warn|error)\(/u

/**
 * Leaves out what no behaviour depends on: assertions of bugs (`throw new Error`, and the `if`
 * before it) and what is told to the log.
 */
export const assertionIgnorer: Ignorer = {
  shouldIgnore(path: NodePath) {
    // Babel's path, whose text is the code; Stryker's own type of it is opaque.
    const { node, toString: print } = path as unknown as BabelPath
    if (node.type === 'IfStatement' || node.type === 'ThrowStatement') {
      return assertion.test(print.call(path)) ? 'asserts that there is no bug' : undefined
    }
    if (node.type === 'CallExpression' || node.type === 'ExpressionStatement') {
      return logCall.test(print.call(path)) ? 'tells the log' : undefined
    }
    return undefined
  },
}
