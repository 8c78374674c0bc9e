import type { ComponentProps, MouseEvent } from 'react'
import { useHref, useNavigate } from 'react-router'

interface LinkProps extends Omit<ComponentProps<'a'>, 'href'> {
  to: string
}

/**
 * A link within the app. The router's own component brings its data and prefetch machinery along,
 * which nothing here uses.
 */
export function Link({ to, onClick, children, ...rest }: LinkProps) {
  const href = useHref(to)
  const navigate = useNavigate()
  return (
    <a
      {...rest}
      href={href}
      onClick={(event) => {
        onClick?.(event)
        if (!staysInTab(event)) return
        event.preventDefault()
        void navigate(to)
      }}
    >
      {children}
    </a>
  )
}

/** True for a plain click; one with a modifier or another button opens a tab or a menu. */
function staysInTab(event: MouseEvent): boolean {
  const modified = event.metaKey || event.ctrlKey || event.shiftKey || event.altKey
  return !event.defaultPrevented && event.button === 0 && !modified
}
