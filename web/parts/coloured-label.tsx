/** The best of black and white on a colour, by the contrast that WCAG computes. */
export function readableOn(color: string): '#000' | '#fff' {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const value = Number.parseInt(color.slice(at, at + 2), 16) / 255
    return value <= 0.03928 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
  })
  const luminance = 0.2126 * red + 0.7152 * green + 0.0722 * blue
  return (luminance + 0.05) / 0.05 >= 1.05 / (luminance + 0.05) ? '#000' : '#fff'
}

/** A state or an option with its colour from the configuration. */
export function ColouredLabel({ label, color }: { readonly label: string; readonly color?: string | undefined }) {
  return (
    <span className="label">
      <span className="label-dot" style={{ background: color ?? 'var(--mantine-color-gray-5)' }} aria-hidden />
      <span className="label-text">{label}</span>
    </span>
  )
}
