/**
 * Puts tables behind those that they refer to, so that each can be filled when it comes.
 * @param references which table refers to which; one to itself counts for nothing
 */
export function orderTables<Table extends { name: string }>(
  tables: readonly Table[],
  references: readonly { from: string; to: string }[],
): Table[] {
  const ordered: Table[] = []
  const placed = new Set<string>()
  let left = [...tables]
  while (left.length > 0) {
    const isReady = ({ name }: Table) =>
      references.every(({ from, to }) => from !== name || to === name || placed.has(to))
    const ready = left.filter(isReady)
    if (ready.length === 0) {
      throw new Error(
        `tables refer to each other in a circle: ${left.map((t) => t.name).join(', ')}`,
      )
    }
    for (const table of ready) placed.add(table.name)
    ordered.push(...ready)
    left = left.filter(({ name }) => !placed.has(name))
  }
  return ordered
}
