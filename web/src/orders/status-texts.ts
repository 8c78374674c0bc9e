import type { DashboardMessages } from '../ui/messages/catalogues.ts'

/** Title and message of an order status (specification, section 8); anything else is 'unknown'. */
export function statusTexts(
  status: string,
  m: DashboardMessages,
): { title: string; message: string } {
  const texts: Record<string, { title: string; message: string }> = {
    initiated: { title: m.statusInitiatedTitle, message: m.statusInitiated },
    pending: { title: m.statusPendingTitle, message: m.statusPending },
    processing: { title: m.statusProcessingTitle, message: m.statusProcessing },
    completed: { title: m.statusCompletedTitle, message: m.statusCompleted },
    failed: { title: m.statusFailedTitle, message: m.statusFailed },
    cancelled: { title: m.statusCancelledTitle, message: m.statusCancelled },
    expired: { title: m.statusExpiredTitle, message: m.statusExpired },
  }
  return texts[status] ?? { title: m.statusUnknownTitle, message: m.statusUnknown }
}
