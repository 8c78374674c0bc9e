/** As `--motion` of `styles.css`. */
const motion = { duration: 200, easing: 'cubic-bezier(0.2, 0, 0, 1)' }

/** Closes a dialog that is about to be taken out of the page, and then shows it, for the eye alone, until it has faded. */
export function fadeOut(dialog: HTMLDialogElement): void {
  const { scrollTop } = dialog
  // One that is only taken out of the page gives no focus back.
  dialog.close()
  queueMicrotask(() => {
    if (dialog.isConnected || !('showPopover' in dialog)) return
    if (matchMedia('(prefers-reduced-motion: reduce)').matches) return
    dialog.inert = true
    // In the top layer, as it was, but without keeping anybody from the page.
    dialog.popover = 'manual'
    document.body.append(dialog)
    dialog.showPopover()
    dialog.scrollTop = scrollTop
    dialog.animate({ opacity: 0 }, { ...motion, pseudoElement: '::backdrop' })
    dialog.animate({ opacity: 0 }, motion).addEventListener('finish', () => dialog.remove())
  })
}
