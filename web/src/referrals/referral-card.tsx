import { referralLink } from '@starside/contract/referrals.ts'
import type { ClientUser } from '../auth/auth-context.ts'
import { useAlert } from '../ui/alerts.tsx'
import { useMessages } from '../ui/language.tsx'
import { useCopying } from '../ui/use-copying.tsx'
import { TextButton } from '../ui/button.tsx'

/** Friends referred, the user's code, and the link to pass on. */
export function ReferralCard({ user }: { user: ClientUser }) {
  const m = useMessages('dashboard')
  const alert = useAlert()
  const { copied, copy } = useCopying()
  const code = user.referralCode
  const share = async (): Promise<void> =>
    code ? copy(referralLink(location.origin, code)) : alert(m.referralUnavailable, 'failure')
  return (
    <section aria-labelledby="referral-card" className="figure-card">
      <h2 id="referral-card">{m.referralProgram}</h2>
      <p className="display narrow figure">{user.friendsReferred ?? 0}</p>
      <p className="text-grey">{m.friendsReferred}</p>
      <div className="figure-links md:flex-row md:flex-wrap md:items-center md:gap-x-4">
        <p className="font-mono">
          <span className="sr-only">{m.yourCode}: </span>
          {code ?? m.noCode}
        </p>
        <TextButton
          className="min-h-[inherit] text-left font-semibold"
          aria-disabled={!code}
          onClick={() => void share()}
        >
          <span aria-live="polite">{copied ?? m.shareLink}</span>
        </TextButton>
      </div>
    </section>
  )
}
