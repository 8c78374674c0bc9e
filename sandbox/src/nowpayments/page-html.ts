import QRCode from 'qrcode'
import type { Action } from './act-on-payment.ts'
import type { Invoice, Payment } from './book.ts'
import { forgeries } from './book.ts'
import type { Coin } from './coins.ts'
import { roundTo } from './coins.ts'
import { escapeHtml, page } from './page-frame.ts'

function summary(invoice: Invoice): string {
  const description =
    invoice.orderDescription === null
      ? ''
      : `<div><dt>For</dt><dd>${escapeHtml(invoice.orderDescription)}</dd></div>`
  const order =
    invoice.orderId === null
      ? ''
      : `<div><dt>Order</dt><dd class="mono">${escapeHtml(invoice.orderId)}</dd></div>`
  return `<dl class="summary">${description}${order}<div><dt>Price</dt><dd>${priceText(invoice)}</dd></div></dl>`
}

function priceText(invoice: { priceAmount: number; priceCurrency: string }): string {
  return invoice.priceCurrency === 'usd'
    ? `$${invoice.priceAmount.toFixed(2)}`
    : escapeHtml(`${invoice.priceAmount} ${invoice.priceCurrency.toUpperCase()}`)
}

/** The first screen: which coin to pay in. Coins whose minimum lies above the price can't be chosen. */
export function coinChoicePage(
  shopName: string,
  invoice: Invoice,
  offers: readonly { coin: Coin; minimumUsd: number; isPossible: boolean }[],
): string {
  const first = offers.find((offer) => offer.isPossible)
  const rows = offers
    .map(({ coin, minimumUsd, isPossible }) => {
      const id = `coin-${coin.code}`
      const note = isPossible ? coin.code.toUpperCase() : `from $${minimumUsd.toFixed(2)}`
      const state = isPossible ? (coin === first?.coin ? ' checked' : '') : ' disabled'
      return `<li><input type="radio" name="coin" id="${id}" value="${coin.code}" required${state}><label for="${id}"><span>${escapeHtml(coin.name)}</span> <span class="mono">${note}</span></label></li>`
    })
    .join('')
  return page({
    shopName,
    title: `Pay ${shopName}`,
    waits: false,
    body: `<h1>Choose <em>a coin.</em></h1>
${summary(invoice)}
<form method="post" action="/payment/coin">
<input type="hidden" name="iid" value="${escapeHtml(invoice.id)}">
<fieldset><legend>Pay with</legend><ul class="coins">${rows}</ul></fieldset>
<p class="actions"><button type="submit" class="main">Continue</button>${backLink(invoice.cancelUrl, 'Cancel and go back')}</p>
</form>`,
  })
}

const headings: Record<Payment['status'], string> = {
  waiting: 'Send <em>the coins.</em>',
  confirming: 'Coins <em>seen.</em>',
  confirmed: 'Coins <em>confirmed.</em>',
  sending: 'Almost <em>done.</em>',
  finished: 'Paid <em>in full.</em>',
  partially_paid: 'Not yet <em>enough.</em>',
  failed: 'Payment <em>failed.</em>',
  refunded: 'Money <em>returned.</em>',
  expired: 'Time <em>is up.</em>',
}

const explanations: Record<Payment['status'], string> = {
  waiting: 'The provider is waiting for your deposit.',
  confirming: 'The deposit is on the network and being confirmed.',
  confirmed: 'The network has confirmed the deposit.',
  sending: 'The provider is passing the money on to the shop.',
  finished: 'The shop has been told. You can go back.',
  partially_paid: 'The deposit was smaller than the price. Send the rest to the same address.',
  failed: 'The provider could not take this payment.',
  refunded: 'The provider has sent the money back.',
  expired: 'The address is no longer shown, so that nobody pays it by mistake.',
}

const buttonTexts: Record<Action, string> = {
  pay: 'Pay',
  underpay: 'Underpay',
  overpay: 'Overpay',
  'pay-late': 'Pay late',
  'pay-rest': 'Pay the rest',
  fail: 'Fail',
  expire: 'Expire',
  refund: 'Refund',
  'deposit-again': 'Deposit again',
  'wrong-asset': 'Deposit another coin',
  resend: 'Send the callback again',
}

const trail: readonly Payment['status'][] = [
  'waiting',
  'confirming',
  'confirmed',
  'sending',
  'finished',
]

/** The second screen: address, QR code and amount, where the payment stands, and the tester's buttons. */
export async function paymentPage(parts: {
  shopName: string
  invoice: Invoice
  payment: Payment
  coin: Coin
  actions: readonly Action[]
  isMoving: boolean
  problem: string | null
}): Promise<string> {
  const { shopName, invoice, payment } = parts
  const isOpen = payment.status === 'waiting' || payment.status === 'partially_paid'
  return page({
    shopName,
    title: `Pay ${shopName}`,
    waits: parts.isMoving || isOpen,
    body: `<h1>${headings[payment.status]}</h1>
<p role="status" id="payment-status" data-payment="${payment.id}" data-state="${payment.status} ${parts.isMoving ? 'moving' : 'resting'}" data-waits="${parts.isMoving || isOpen}">${explanations[payment.status]}</p>
${parts.problem === null ? '' : `<p role="alert" class="problem">${escapeHtml(parts.problem)}</p>`}
${trailHtml(payment)}
${isOpen ? await depositHtml(payment, parts.coin) : ''}
${summary(invoice)}
${controlsHtml(invoice, payment, parts.actions)}
<p class="actions">${returnLinks(invoice, payment)}</p>`,
  })
}

function trailHtml(payment: Payment): string {
  const here = trail.indexOf(payment.status)
  if (here === -1) return `<p class="side-exit mono">${payment.status.replace('_', ' ')}</p>`
  const items = trail.map((status, index) => {
    const state = index < here ? 'past' : index === here ? 'here' : 'ahead'
    return `<li class="${state}"${state === 'here' ? ' aria-current="step"' : ''}>${status}</li>`
  })
  return `<ol class="trail mono">${items.join('')}</ol>`
}

async function depositHtml(payment: Payment, coin: Coin): Promise<string> {
  const missing = roundTo(coin.code, payment.payAmount - payment.actuallyPaid)
  const amount = amountText(missing, coin)
  const code = await QRCode.toString(payment.payAddress, {
    type: 'svg',
    margin: 2,
    errorCorrectionLevel: 'M',
  })
  const memo =
    payment.payinExtraId === null
      ? ''
      : `<div><dt>${escapeHtml(coin.extraIdName ?? 'Memo')}</dt><dd class="mono">${payment.payinExtraId}</dd></div>`
  const received =
    payment.actuallyPaid === 0
      ? ''
      : `<div><dt>Received</dt><dd class="mono">${amountText(payment.actuallyPaid, coin)} ${coin.code.toUpperCase()}</dd></div>`
  return `<section class="deposit" aria-label="Deposit">
<div class="qr" role="img" aria-label="QR code of the address">${code}</div>
<dl>
${received}
<div><dt>${payment.actuallyPaid === 0 ? 'Send exactly' : 'Still missing'}</dt><dd class="mono amount">${amount} ${coin.code.toUpperCase()}</dd></div>
<div><dt>To this ${escapeHtml(coin.name)} address</dt><dd class="mono address" id="pay-address">${escapeHtml(payment.payAddress)}</dd></div>
${memo}
</dl>
</section>`
}

/** An amount without exponent and without zeros at the end. */
export function amountText(amount: number, coin: Coin): string {
  return amount.toFixed(coin.precision).replace(/\.?0+$/, '')
}

function controlsHtml(invoice: Invoice, payment: Payment, actions: readonly Action[]): string {
  if (actions.length === 0) return ''
  const buttons = actions
    .map((action) => {
      const style = action === 'pay' || action === 'pay-rest' ? 'main' : 'plain'
      return `<button type="submit" name="action" value="${action}" class="${style}">${buttonTexts[action]}</button>`
    })
    .join('')
  const forged = forgeries.map((kind) => `<option value="${kind}">${kind}</option>`).join('')
  return `<form method="post" action="/payment/act" class="controls">
<h2>Simulate the buyer</h2>
<input type="hidden" name="iid" value="${escapeHtml(invoice.id)}">
<input type="hidden" name="paymentId" value="${payment.id}">
<p class="buttons">${buttons}</p>
<details><summary>How the shop is told</summary>
<p><label for="duplicates">Extra copies of each callback</label><input id="duplicates" name="duplicates" type="number" min="0" max="20" value="0"></p>
<p><label for="delayMs">Delay in milliseconds</label><input id="delayMs" name="delayMs" type="number" min="0" max="600000" step="100" value="0"></p>
<p><input id="reorder" name="reorder" type="checkbox"><label for="reorder">Out of order</label></p>
<p><input id="silent" name="silent" type="checkbox"><label for="silent">Lose every callback</label></p>
<p><label for="forge">Forge</label><select id="forge" name="forge"><option value="">nothing</option>${forged}</select></p>
</details>
</form>`
}

function returnLinks(invoice: Invoice, payment: Payment): string {
  switch (payment.status) {
    case 'finished':
      return backLink(invoice.successUrl, 'Back to the shop', 'main')
    case 'partially_paid':
      return backLink(invoice.partiallyPaidUrl ?? invoice.cancelUrl, 'Back to the shop')
    case 'waiting':
      return `<a href="/payment/?iid=${escapeHtml(invoice.id)}&amp;choose=1">Choose another coin</a>${backLink(invoice.cancelUrl, 'Cancel and go back')}`
    case 'confirming':
    case 'confirmed':
    case 'sending':
      return backLink(invoice.successUrl, 'Back to the shop')
    case 'failed':
    case 'refunded':
    case 'expired':
      return backLink(invoice.cancelUrl, 'Back to the shop', 'main')
  }
}

function backLink(url: string | null, text: string, style = 'plain'): string {
  return url === null ? '' : `<a class="${style}" href="${escapeHtml(url)}">${text}</a>`
}

/** The screen for an address that leads nowhere. */
export function lostPage(shopName: string): string {
  return page({
    shopName,
    title: 'No such payment',
    waits: false,
    body: '<h1>No such <em>payment.</em></h1><p>Please go back to the shop and start again.</p>',
  })
}
