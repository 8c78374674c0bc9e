import type { ReactNode } from 'react'

interface AccountSectionProps {
  id: string
  title: string
  children: ReactNode
}

/** One part of the account's page. */
export function AccountSection({ id, title, children }: AccountSectionProps): ReactNode {
  return (
    <section aria-labelledby={id} className="rule pt-3">
      <h3 id={id} className="text-2xl font-bold">
        {title}
      </h3>
      {children}
    </section>
  )
}
