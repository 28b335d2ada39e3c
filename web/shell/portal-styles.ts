/** Loads the styles of the portal, once: people in the workspace do without them. */
export function portalStyles(): Promise<void> {
  const link = document.getElementById('portal-styles') as HTMLLinkElement
  if (!link.disabled) return Promise.resolve()
  return new Promise((resolve) => {
    // Without them the screens can still be read.
    for (const end of ['load', 'error']) link.addEventListener(end, () => resolve(), { once: true })
    link.disabled = false
  })
}
