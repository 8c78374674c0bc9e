import type { ComponentProps } from 'react'

/** A button on the dark ground of the film. */
export function FilmButton({ className = '', ...rest }: ComponentProps<'button'>) {
  return <button type="button" className={`button button-film ${className}`} {...rest} />
}
