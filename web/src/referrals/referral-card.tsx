import { copiedStateMs } from '@starside/contract/limits.ts'
import { referralLink } from '@starside/contract/referrals.ts'
import type { ClientUser } from '../auth/auth-state.ts'
import { useAlert } from '../ui/alerts.tsx'
import { copyText } from '../ui/copy-text.ts'
import { useMessages } from '../ui/language.tsx'
import { useNotice } from '../ui/use-notice.ts'

/** Friends referred, the user's code as a lab's claim ticket, and the link to pass on. */
export function ReferralCard({ user }: { user: ClientUser }) {
  const m = useMessages('dashboard')
  const alert = useAlert()
  const [copied, showCopied] = useNotice(copiedStateMs)
  const code = user.referralCode
  const share = async (): Promise<void> => {
    if (!code) return alert(m.referralUnavailable, 'failure')
    const link = referralLink(location.origin, code)
    if (await copyText(link)) showCopied(m.copied)
    else alert(link, 'note')
  }
  return (
    <section aria-labelledby="referral-card" className="rule pt-3">
      <h2 id="referral-card" className="font-semibold">
        {m.referralProgram}
      </h2>
      <div className="mt-2 flex items-end gap-4">
        <p className="display narrow text-6xl md:text-8xl">{user.friendsReferred ?? 0}</p>
        <p className="pb-2 leading-tight">{m.friendsReferred}</p>
      </div>
      <div className="mt-2 flex flex-wrap items-center gap-3">
        <p className="border-2 border-dashed border-ink px-3 py-1.5">
          <span className="sr-only">{m.yourCode}: </span>
          <span className="font-mono text-lg">{code ?? m.noCode}</span>
        </p>
        <button type="button" className="button" aria-disabled={!code} onClick={() => void share()}>
          <span aria-live="polite">{copied ?? m.shareLink}</span>
        </button>
      </div>
    </section>
  )
}
