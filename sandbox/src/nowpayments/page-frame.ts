/** `text` with the characters that mean something in HTML spelt out. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.codePointAt(0)};`)
}

/** A whole document of the pay page. `waits` makes it poll. */
export function page(parts: {
  shopName: string
  title: string
  body: string
  waits: boolean
}): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(parts.title)} · test money</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/payment/pay-page.css">
${parts.waits ? '<noscript><meta http-equiv="refresh" content="3"></noscript>' : ''}
<script src="/payment/pay-page.js" defer></script>
</head>
<body>
<aside class="edge" aria-label="Test money"><p><strong>TEST MONEY</strong> <span>Payment sandbox. Send no real coins.</span></p></aside>
<header><p class="shop">${escapeHtml(parts.shopName)}</p></header>
<main>${parts.body}</main>
<footer><p>This page stands in for a payment provider. Nothing here moves real money.</p></footer>
</body>
</html>
`
}
