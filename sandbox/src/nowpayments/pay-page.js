// Looks for news of the payment and shows the page anew when something has changed.
const lookIntervalMs = 1000

/** @param {HTMLElement} shown What the page says of the payment. */
async function look(shown) {
  try {
    const response = await fetch(`/payment/state?paymentId=${shown.dataset.payment}`, {
      cache: 'no-store',
    })
    if (response.ok && (await response.text()) !== shown.dataset.state) {
      location.reload()
      return
    }
  } catch {
    // The gateway is away for a moment: the next look may find it.
  }
  pollLater(shown)
}

/** @param {HTMLElement} shown */
function pollLater(shown) {
  setTimeout(() => void look(shown), lookIntervalMs)
}

const status = document.getElementById('payment-status')
if (status?.dataset.waits === 'true') pollLater(status)
