/** A condition of a statement that a mutant leaves out. */
export interface SqlCondition {
  /** As it stands in the code, on one line. */
  readonly text: string
  /** Line of the file, from 1. */
  readonly line: number
}

/**
 * Makes the conditions of SQL statements removable: `.where(…)` of a Kysely query, and in a text of
 * `sql` each line that begins with `and`, `or` or `where`. A wrapped condition asks
 * `keepsSqlCondition("<id>")`, a global function, whether it stands. No line is added.
 *
 * @param idOf names a condition by its number in the file
 * @returns the code, and the conditions in the order of their numbers
 */
export function wrapSqlConditions(
  code: string,
  idOf: (index: number) => string,
): { code: string; conditions: SqlCondition[] } {
  const conditions: SqlCondition[] = []
  const add = (text: string, offset: number): string => {
    conditions.push({
      text: text.replaceAll(/\s+/gu, ' ').trim(),
      line: code.slice(0, offset).split('\n').length,
    })
    return `keepsSqlCondition(${JSON.stringify(idOf(conditions.length - 1))})`
  }
  let wrapped = ''
  let position = 0
  for (const match of code.matchAll(/\.where\(|^(\s*)(and|or|where) (.+)$/gmu)) {
    if (match.index < position) continue
    const [found, indent, word, rest] = match
    wrapped += code.slice(position, match.index)
    position = match.index
    if (word === undefined) {
      const end = findClosing(code, match.index + found.length)
      const call = code.slice(match.index, end)
      wrapped += `.$if(${add(call, match.index)}, (sqlQuery) => sqlQuery${call})`
      position = end
    } else if (rest !== undefined && isClosed(rest) && isInSql(code, match.index)) {
      const keeps = add(`${word} ${rest}`, match.index + (indent?.length ?? 0))
      const [kept, left] = word === 'where' ? [rest, 'true'] : [`${word} ${rest}`, '']
      const head = word === 'where' ? `${indent}where ` : indent
      wrapped += `${head}\${${keeps} ? sql\`${kept}\` : sql\`${left}\`}`
      position += found.length
    }
  }
  return { code: wrapped + code.slice(position), conditions }
}

/** The position behind the parenthesis that closes the one before `start`. */
function findClosing(code: string, start: number): number {
  let depth = 1
  let quote: string | undefined
  for (let position = start; position < code.length; position += 1) {
    const letter = code[position]
    if (quote !== undefined) {
      if (letter === '\\') position += 1
      else if (letter === quote) quote = undefined
    } else if (letter === "'" || letter === '"') quote = letter
    else if (letter === '(') depth += 1
    else if (letter === ')') {
      depth -= 1
      if (depth === 0) return position + 1
    }
  }
  throw new Error('a call of where() is not closed')
}

/** A line that opens or closes something for another line can't go alone. */
function isClosed(line: string): boolean {
  let depth = 0
  for (const letter of line) {
    if (letter === '(' || letter === '{') depth += 1
    else if (letter === ')' || letter === '}') depth -= 1
    if (depth < 0) return false
  }
  return depth === 0 && !line.includes('`')
}

/** True between the backticks of the last text that `sql` opened before the position. */
function isInSql(code: string, position: number): boolean {
  const opened = /.*\bsql(?:<[^`]*>)?`([^]*)$/u.exec(code.slice(0, position))
  return opened !== null && !opened[1]?.includes('`')
}
