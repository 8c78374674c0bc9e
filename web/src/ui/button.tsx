import type { ComponentProps, ReactNode } from 'react'

/** A button; `main` is what most people want. */
export function Button(props: ComponentProps<'button'> & { main?: boolean }): ReactNode {
  const { main = false, className = '', ...button } = props
  const look = main ? 'button button-main' : 'button'
  return <button type="button" className={`${look} ${className}`} {...button} />
}

/** A button that looks like a link. */
export function TextButton({ className = '', ...button }: ComponentProps<'button'>): ReactNode {
  return <button type="button" className={`text-link ${className}`} {...button} />
}
