let shown: string | undefined

/** Shows the app in the color of the company that one is in. Most companies have none: then nothing is loaded. */
export async function followAccent(color: string | undefined): Promise<void> {
  if (color === shown) return
  shown = color
  const { showAccent } = await import('./accent.ts')
  showAccent(color)
}
