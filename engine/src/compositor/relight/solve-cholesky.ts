/**
 * Solves a small symmetric positive definite system by Cholesky's decomposition.
 * @param matrix row by row; only its lower half is read, and it is overwritten
 */
export function solveCholesky(matrix: Float64Array, right: Float64Array): number[] {
  const n = right.length
  const solution = [...right]
  for (let i = 0; i < n; i++) {
    for (let j = 0; j <= i; j++) {
      let sum = matrix[i * n + j]!
      for (let k = 0; k < j; k++) sum -= matrix[i * n + k]! * matrix[j * n + k]!
      matrix[i * n + j] = i === j ? Math.sqrt(Math.max(sum, 1e-12)) : sum / matrix[j * n + j]!
    }
  }
  for (let i = 0; i < n; i++) {
    for (let k = 0; k < i; k++) solution[i]! -= matrix[i * n + k]! * solution[k]!
    solution[i]! /= matrix[i * n + i]!
  }
  for (let i = n - 1; i >= 0; i--) {
    for (let k = i + 1; k < n; k++) solution[i]! -= matrix[k * n + i]! * solution[k]!
    solution[i]! /= matrix[i * n + i]!
  }
  return solution
}
