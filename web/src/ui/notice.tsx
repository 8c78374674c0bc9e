import type { ReactNode } from 'react'

interface NoticeProps {
  /** Its margin; above, unless said otherwise. */
  className?: string
  /** `status` where it appears after the page did, so that it is announced. */
  role?: 'status'
  children: ReactNode
}

/** A green sentence beside a form: what went well, or what waits. */
export function Notice({ className = 'mt-5', role, children }: NoticeProps) {
  return (
    <p
      role={role}
      className={`border-l-[10px] border-green px-4 py-2 font-semibold text-green empty:hidden ${className}`}
    >
      {children}
    </p>
  )
}
