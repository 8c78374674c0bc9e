// Shows the brand while it is typed and moments in the operator's own time, copies what is shown once, prints, and
// lets rows of a list be dragged. Pages do without.
/** @param {HTMLInputElement} field */
const showTyped = ({ name, value, files }) => {
  const picture = files?.[0]
  for (const shown of document.querySelectorAll(`[data-shows="${name}"]`)) {
    if (shown instanceof HTMLImageElement) {
      if (picture !== undefined) shown.src = URL.createObjectURL(picture)
      shown.hidden &&= picture === undefined
      shown.nextElementSibling?.toggleAttribute('hidden', !shown.hidden)
    } else shown.textContent = value || shown.getAttribute('data-fallback')
  }
  const card = document.querySelector(`[data-accent="${name}"]`)
  const warning = card?.querySelector('.bad')
  if (!(card instanceof HTMLElement && warning)) return
  card.style.setProperty('--red', value)
  const grounds = (card.dataset['beside'] ?? '').split(' ')
  const worst = Math.min(...grounds.map((ground) => contrastOf(value, ground)))
  const least = Number(card.dataset['contrast'])
  warning.textContent =
    worst < least ? `Refused: contrast ${worst.toFixed(2)}, needs ${least}.` : ''
}
document.addEventListener('input', ({ target }) => {
  if (target instanceof HTMLInputElement) showTyped(target)
})
// A form that was refused holds what is not saved.
for (const field of document.querySelectorAll('.beside input')) {
  if (field instanceof HTMLInputElement) showTyped(field)
}

for (const text of document.querySelectorAll('pre.once')) {
  const button = document.createElement('button')
  button.textContent = 'Copy'
  button.addEventListener('click', () => {
    void navigator.clipboard.writeText(text.textContent).then(() => {
      button.textContent = 'Copied'
    })
  })
  text.after(button)
}

for (const field of document.querySelectorAll('input[type="datetime-local"]')) {
  if (!(field instanceof HTMLInputElement)) continue
  const own = document.createElement('output')
  const show = () => {
    const at = new Date(`${field.value}Z`)
    const format = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'short' })
    own.textContent = field.value === '' ? '' : `${format.format(at)} in your time`
  }
  field.addEventListener('input', show)
  field.after(own)
  show()
}

const poster = document.querySelector('[data-print]')
poster?.removeAttribute('hidden')
poster?.addEventListener('click', () => print())

/** @type {HTMLElement | undefined} */
let dragged
for (const row of document.querySelectorAll('tr')) {
  const place = row.querySelector('.place')
  if (place === null) continue
  row.draggable = true
  row.addEventListener('dragstart', () => {
    dragged = row
  })
  row.addEventListener('dragover', (event) => event.preventDefault())
  row.addEventListener('drop', (event) => {
    event.preventDefault()
    const position = dragged?.querySelector('.moves [name="position"]')
    if (!(position instanceof HTMLInputElement)) return
    position.value = place.textContent
    position.form?.requestSubmit()
  })
}
