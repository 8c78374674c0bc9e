// Shows the brand while it is typed and times as the reader writes them, copies what is to be copied, prints, lets rows of a
// list be dragged, gives forms in rows their width, has a star's picture looked at, and puts in what changes by itself.
// Pages do without.
/** @param {HTMLInputElement} field */
function showTyped(field) {
  const { name, value, files } = field
  const picture = files?.[0]
  if (files) field.nextElementSibling?.replaceChildren(picture?.name ?? 'Choose a file')
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
  near.textContent = `Use ${near.value}`
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

// Times are kept in UTC; an operator reads and enters them in the time and the way of their own place.
const timeFormat = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' })
/** Gives buttons to what is to be copied, and times as the reader writes them. @param {ParentNode} within */
function dress(within) {
  for (const shown of within.querySelectorAll('.once')) {
    const texts = [...shown.querySelectorAll('.once')].map((one) => one.textContent)
    const button = document.createElement('button')
    button.type = 'button'
    button.textContent = texts.length > 0 ? 'Copy all' : 'Copy'
    button.addEventListener('click', () => {
      const text = texts.join('\n') || shown.textContent
      void navigator.clipboard.writeText(text).then(() => (button.textContent = 'Copied'))
    })
    if (texts.length > 0) shown.before(button)
    else shown.after(button)
  }
  for (const shown of within.querySelectorAll('time')) {
    shown.textContent = timeFormat.format(new Date(shown.dateTime))
  }
}
dress(document)

/** @param {Date} at */
const ownTime = (at) => new Date(+at - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 16)
for (const field of document.querySelectorAll('input[type="datetime-local"]')) {
  if (!(field instanceof HTMLInputElement)) continue
  const usual = new Date()
  const hour = usual.getHours() + 1
  usual.setHours(field.name === 'to' ? Math.max(23, hour + 4) : hour, 0, 0, 0)
  field.value = ownTime(field.value === '' ? usual : new Date(`${field.value}Z`))
  const hint = document.getElementById(`${field.id}-hint`)
  if (hint !== null) hint.textContent = `Time of ${timeFormat.resolvedOptions().timeZone}.`
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
starPicture?.parentElement?.after(looked)
starPicture?.addEventListener('change', ({ target }) => void inspectPicture(target))

const poster = document.querySelector('[data-print]')
poster?.removeAttribute('hidden')
poster?.addEventListener('click', () => print())

/** @param {Element} row */
const middleOf = (row) => {
  const { top, height } = row.getBoundingClientRect()
  return top + height / 2
}
for (const list of document.querySelectorAll('tbody:has(.place)')) {
  const places = [...list.querySelectorAll('.place')].map(({ textContent }) => textContent)
  for (const row of list.children) {
    const place = row.querySelector('.place')
    const position = place?.closest('details')?.querySelector('[name="position"]')
    if (!(place instanceof HTMLElement && position instanceof HTMLInputElement)) continue
    const send = () => {
      const to = places[[...list.querySelectorAll('.place')].indexOf(place)]
      if (!to || to === place.textContent) return
      position.value = to
      position.form?.requestSubmit()
    }
    place.addEventListener('pointerdown', ({ pointerId }) => place.setPointerCapture(pointerId))
    // The others move around it: what is taken out of the page loses the pointer.
    place.addEventListener('pointermove', ({ pointerId, clientY }) => {
      if (!place.hasPointerCapture(pointerId)) return
      for (const above of [...list.children].toReversed()) {
        if (above === row.previousElementSibling && clientY < middleOf(above)) row.after(above)
      }
      for (const below of list.children) {
        if (below === row.nextElementSibling && clientY > middleOf(below)) row.before(below)
      }
      row.scrollIntoView({ block: 'nearest' })
    })
    place.addEventListener('lostpointercapture', send)
    place.parentElement?.addEventListener('keydown', (event) => {
      if (event.key === 'ArrowUp') row.previousElementSibling?.before(row)
      else if (event.key === 'ArrowDown') row.nextElementSibling?.after(row)
      else return
      event.preventDefault()
      send()
    })
  }
}

// A form that unfolds in a row has the width of all of it.
for (const details of document.querySelectorAll('td details')) {
  const row = details.closest('tr')
  const form = details.querySelector('form')
  if (!(details instanceof HTMLDetailsElement && row && form)) continue
  const wide = document.createElement('tr')
  const cell = wide.insertCell()
  cell.colSpan = row.cells.length
  const place = () => {
    if (details.open) row.after(wide)
    else wide.remove()
    const home = details.open ? cell : details
    home.append(form)
  }
  details.addEventListener('toggle', place)
  if (details.open) place()
}

/** Asks for what is waited for, a star or the step whose help is open, and puts it in beside fields that may be filled. */
async function renew() {
  const isAwaited = document.querySelector('[data-state="cutting"], .steps details[open]')
  if (document.hidden || !isAwaited) return
  const answer = await fetch(location.href).catch(() => undefined)
  const page = new DOMParser().parseFromString((await answer?.text()) ?? '', 'text/html')
  for (const shown of document.querySelectorAll('[data-state]')) {
    const made = page.getElementById(shown.id)
    if (!made || made.dataset['state'] === shown.getAttribute('data-state')) continue
    dress(made)
    shown.replaceWith(made)
  }
}
const everyMs = document.querySelector('[data-renews]')?.getAttribute('data-renews')
if (everyMs) setInterval(() => void renew(), Number(everyMs))
