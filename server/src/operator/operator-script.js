// Shows the brand while it is typed and moments in the operator's own time, copies what is shown once, prints, lets rows of
// a list be dragged, has a star's picture looked at, and puts in its pictures once they are made. Pages do without.
/** @param {HTMLInputElement} field */
function showTyped(field) {
  const { name, value, files } = field
  const picture = files?.[0]
  for (const shown of document.querySelectorAll(`[data-shows="${name}"]`)) {
    if (shown instanceof HTMLImageElement) {
      if (picture !== undefined) shown.src = URL.createObjectURL(picture)
      shown.hidden &&= picture === undefined
      shown.nextElementSibling?.toggleAttribute('hidden', !shown.hidden)
    } else shown.textContent = value || shown.getAttribute('data-fallback')
  }
  for (const shown of document.querySelectorAll(`[data-falls-back-to="${name}"]`)) {
    if (shown.textContent === shown.getAttribute('data-fallback')) shown.textContent = value
    shown.setAttribute('data-fallback', value)
  }
  const card = document.querySelector(`[data-accent="${name}"]`)
  const warning = card?.querySelector('.bad')
  if (!(card instanceof HTMLElement && warning)) return
  card.style.setProperty('--red', value)
  const grounds = (card.dataset['beside'] ?? '').split(' ')
  const worst = Math.min(...grounds.map((ground) => contrastOf(value, ground)))
  const least = Number(card.dataset['contrast'])
  warning.textContent = ''
  if (worst >= least) return
  const near = document.createElement('button')
  near.type = 'button'
  near.value = passingColour(value, grounds, least)
  near.textContent = `Take ${near.value}`
  near.addEventListener('click', () => {
    field.value = near.value
    showTyped(field)
  })
  warning.append(`Refused: contrast ${worst.toFixed(2)}, needs ${least}. `, near)
}
document.addEventListener('input', ({ target }) => {
  if (target instanceof HTMLInputElement) showTyped(target)
})
// A form that was refused holds what is not saved.
for (const field of document.querySelectorAll('.beside input')) {
  if (field instanceof HTMLInputElement) showTyped(field)
}

for (const shown of document.querySelectorAll('.once')) {
  const texts = [...shown.querySelectorAll('.once')].map((one) => one.textContent)
  const button = document.createElement('button')
  button.textContent = texts.length > 0 ? 'Copy all' : 'Copy'
  button.addEventListener('click', () => {
    const text = texts.join('\n') || shown.textContent
    void navigator.clipboard.writeText(text).then(() => (button.textContent = 'Copied'))
  })
  if (texts.length > 0) shown.before(button)
  else shown.after(button)
}

// Moments are kept in UTC; an operator reads and enters them in the time of their own place, written as UTC is.
const momentFormat = new Intl.DateTimeFormat('sv', { dateStyle: 'short', timeStyle: 'long' })
for (const shown of document.querySelectorAll('time')) {
  shown.textContent = momentFormat.format(new Date(shown.dateTime)).replace(/:\d\d(?= )/, '')
}
/** @param {Date} at */
const ownTime = (at) => new Date(+at - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 16)
for (const field of document.querySelectorAll('input[type="datetime-local"]')) {
  if (!(field instanceof HTMLInputElement)) continue
  const usual = new Date()
  const hour = usual.getHours() + 1
  usual.setHours(field.name === 'to' ? Math.max(23, hour + 4) : hour, 0, 0, 0)
  field.value = ownTime(field.value === '' ? usual : new Date(`${field.value}Z`))
  const hint = document.getElementById(`${field.id}-hint`)
  if (hint !== null) hint.textContent = `Time of ${momentFormat.resolvedOptions().timeZone}.`
  field.form?.addEventListener('formdata', ({ formData }) => {
    const at = new Date(field.value)
    if (field.value !== '') formData.set(field.name, at.toISOString().slice(0, 16))
  })
}

const looked = document.createElement('output')
/** Has a star's picture looked at by its own form, which refuses what has no name. @param {EventTarget | null} field */
async function inspectPicture(field) {
  if (!(field instanceof HTMLInputElement && field.form)) return
  const body = new FormData(field.form)
  body.delete('name')
  const answer = await fetch(field.form.action, { method: 'POST', body })
  const page = new DOMParser().parseFromString(await answer.text(), 'text/html')
  const problem = page.querySelector(`#${field.id}-problem, .alone [role='alert']`)?.textContent
  looked.textContent = problem ?? (answer.status === 422 ? 'This picture can be used.' : '')
  looked.className = problem === undefined ? 'good' : 'bad'
}
const starPicture = document.querySelector('form[action="/admin/presets/add"] [type="file"]')
starPicture?.after(looked)
starPicture?.addEventListener('change', ({ target }) => void inspectPicture(target))

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

/** Asks for what is still made, and puts it in beside fields that may be filled meanwhile. */
async function renew() {
  const shown = document.querySelector('[data-state="cutting"]')
  if (shown === null) return
  const text = await (await fetch(location.href)).text()
  const page = new DOMParser().parseFromString(text, 'text/html')
  const made = page.querySelector('[data-state]:not([data-state="cutting"])')
  if (made !== null) shown.replaceWith(made)
}
if (document.querySelector('[data-state="cutting"]')) setInterval(() => void renew(), 2000)
