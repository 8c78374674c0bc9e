/** The product's name as it is set everywhere. */
export function Wordmark({ name }: { name: string }) {
  return <span className="display wide text-xl uppercase">{name}</span>
}
