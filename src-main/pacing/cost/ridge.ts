/**
 * Ridge regression by its dual form, for few rows with many columns: the memory depends on the rows alone. All vectors are
 * dense; a column's prior spread is multiplied into it.
 */
export interface Ridge {
  /** Returns the coefficient of each column. */
  coefficients: Float64Array
  /** What each target is missed by when its row is left out. */
  leftOut: Float64Array
  /** Returns the standard error of what the coefficients give for this row. */
  errorOf(row: Float64Array): number
}

/** Errors beyond this many times the noise count as outliers. */
const outlier = 3

/**
 * Returns the coefficients that give the targets, within `noise`, and are otherwise small. In each round but the first, rows
 * that are not met count less.
 */
export function ridge(rows: readonly Float64Array[], targets: Float64Array, noise: number, rounds: number): Ridge {
  const products = rows.map((one, at) =>
    Float64Array.from({ length: at + 1 }, (_none, other) => dot(one, rows[other] ?? one)),
  )
  const noises = targets.map(() => noise ** 2)
  let factor: Float64Array[] = []
  let solution: Float64Array = new Float64Array(0)
  for (let round = 0; round < rounds; round += 1) {
    factor = cholesky(products, noises)
    solution = backward(factor, forward(factor, targets))
    for (let at = 0; at < noises.length; at += 1) {
      const residual = Math.abs((solution[at] ?? 0) * (noises[at] ?? 0))
      noises[at] = noise ** 2 * Math.max(1, residual / (outlier * noise)) ** 2
    }
  }
  const coefficients = new Float64Array(rows[0]?.length ?? 0)
  rows.forEach((row, at) => {
    const share = solution[at] ?? 0
    for (let column = 0; column < row.length; column += 1)
      coefficients[column] = (coefficients[column] ?? 0) + share * (row[column] ?? 0)
  })
  return {
    coefficients,
    leftOut: solution.map((value, at) => value / (inverseAt(factor, at) || 1)),
    errorOf(row) {
      const explained = forward(
        factor,
        Float64Array.from(rows, (known) => dot(row, known)),
      )
      return Math.sqrt(Math.max(0, dot(row, row) - dot(explained, explained)))
    },
  }
}

/** Returns an element of the diagonal of the inverse. */
function inverseAt(factor: readonly Float64Array[], at: number): number {
  const unit = new Float64Array(factor.length)
  unit[at] = 1
  const column = forward(factor, unit)
  return dot(column, column)
}

function dot(one: Float64Array, other: Float64Array): number {
  let sum = 0
  for (let at = 0; at < one.length; at += 1) sum += (one[at] ?? 0) * (other[at] ?? 0)
  return sum
}

/** Returns the lower triangle of the Cholesky factor of a matrix, given by its lower triangle without the noise. */
function cholesky(matrix: readonly Float64Array[], noises: Float64Array): Float64Array[] {
  const factor: Float64Array[] = []
  matrix.forEach((row, at) => {
    const made = new Float64Array(at + 1)
    factor.push(made)
    for (let column = 0; column <= at; column += 1) {
      const other = factor[column] ?? made
      let rest = (row[column] ?? 0) + (column === at ? (noises[at] ?? 0) : 0)
      for (let index = 0; index < column; index += 1) rest -= (made[index] ?? 0) * (other[index] ?? 0)
      made[column] = column === at ? Math.sqrt(Math.max(rest, 1e-12)) : rest / (other[column] ?? 1)
    }
  })
  return factor
}

function forward(factor: readonly Float64Array[], targets: Float64Array): Float64Array {
  const found = new Float64Array(factor.length)
  factor.forEach((row, at) => {
    let rest = targets[at] ?? 0
    for (let index = 0; index < at; index += 1) rest -= (row[index] ?? 0) * (found[index] ?? 0)
    found[at] = rest / (row[at] ?? 1)
  })
  return found
}

function backward(factor: readonly Float64Array[], targets: Float64Array): Float64Array {
  const found = Float64Array.from(targets)
  for (let at = factor.length - 1; at >= 0; at -= 1) {
    let rest = found[at] ?? 0
    for (let index = at + 1; index < factor.length; index += 1) rest -= (factor[index]?.[at] ?? 0) * (found[index] ?? 0)
    found[at] = rest / (factor[at]?.[at] ?? 1)
  }
  return found
}
