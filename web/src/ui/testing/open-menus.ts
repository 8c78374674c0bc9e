// The document of the tests has no buttons that open a popover. Heard once in each worker, whose files share window and modules.
addEventListener('click', ({ target }) => {
  const button = target instanceof Element ? target.closest('[popovertarget]') : null
  const menu = document.getElementById(button?.getAttribute('popovertarget') ?? '')
  if (!button || !menu) return
  const newState = button.getAttribute('aria-expanded') === 'true' ? 'closed' : 'open'
  button.setAttribute('aria-expanded', String(newState === 'open'))
  menu.dispatchEvent(Object.assign(new Event('beforetoggle'), { newState }))
})
