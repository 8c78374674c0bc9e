// Looks for news of the payment and shows the page anew when its status has changed.
const shown = document.getElementById('payment-status')
const lookIntervalMs = 1000

async function look() {
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
  setTimeout(look, lookIntervalMs)
}

if (shown?.dataset.waits === 'true') setTimeout(look, lookIntervalMs)
