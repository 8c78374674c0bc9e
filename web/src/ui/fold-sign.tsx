/** Beside the words of a button that unfolds something: whether it is unfolded, for the eye. */
export function FoldSign({ unfolded }: { unfolded: boolean }) {
  return (
    <span aria-hidden="true" className="ml-2 inline-block">
      {unfolded ? '▴' : '▾'}
    </span>
  )
}
