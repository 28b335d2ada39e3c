/** A state or an option with its colour from the configuration. */
export function ColouredLabel({ label, color }: { readonly label: string; readonly color?: string | undefined }) {
  return (
    <span className="label">
      <span className="label-dot" style={{ background: color ?? 'var(--mantine-color-gray-5)' }} aria-hidden />
      <span className="label-text">{label}</span>
    </span>
  )
}
