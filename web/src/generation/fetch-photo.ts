/**
 * A picture that the server offers, a preset star's or a person's to borrow, as a file like any that
 * somebody chooses. Throws when it does not load.
 */
export async function fetchPhoto({ id, image }: { id: string; image: string }): Promise<File> {
  const response = await fetch(image)
  if (!response.ok) throw new Error(`Picture ${id}: ${response.status}`)
  const blob = await response.blob()
  return new File([blob], `${id}.${blob.type.split('/')[1] ?? 'jpg'}`, { type: blob.type })
}
