import type { ComponentProps, MouseEvent } from 'react'
import { useNavigate } from './router.tsx'

interface LinkProps extends Omit<ComponentProps<'a'>, 'href'> {
  to: string
}

/**
 * A link within the app. A plain click stays in the tab and keeps the page's program.
 */
export function Link({ to, onClick, children, ...rest }: LinkProps) {
  const navigate = useNavigate()
  return (
    <a
      {...rest}
      href={to}
      onClick={(event) => {
        onClick?.(event)
        if (!staysInTab(event)) return
        event.preventDefault()
        navigate(to)
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
