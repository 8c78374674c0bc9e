/** A hosted picture shows somebody who is not in the photos that it was to be made of. */
export class LikenessError extends Error {
  override name = 'LikenessError'
  readonly likeness: number

  constructor(likeness: number, likenessMin: number) {
    super(`a stranger’s face: likeness ${percent(likeness)}, at least ${percent(likenessMin)}`)
    this.likeness = likeness
  }
}

function percent(part: number): string {
  return `${Math.round(part * 100)} %`
}
