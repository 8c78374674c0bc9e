import type { ComponentProps, ReactNode } from 'react'

interface FoldButtonProps extends ComponentProps<'button'> {
  unfolded: boolean
  /** Id of what it unfolds. */
  controls?: string
}

/** A button that unfolds something, with a sign for the eye whether it is unfolded. */
export function FoldButton(props: FoldButtonProps): ReactNode {
  const { unfolded, controls, children, ...button } = props
  return (
    <button type="button" aria-expanded={unfolded} aria-controls={controls} {...button}>
      {children}
      <span aria-hidden="true" className="ml-2 inline-block">
        {unfolded ? '▴' : '▾'}
      </span>
    </button>
  )
}
