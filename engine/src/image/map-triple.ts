/** What `make` gives of each of three values, such as the channels of a colour or the axes of a vector. */
export function mapTriple<From, To>(
  [first, second, third]: readonly [From, From, From],
  make: (value: From) => To,
): [To, To, To] {
  return [make(first), make(second), make(third)]
}
