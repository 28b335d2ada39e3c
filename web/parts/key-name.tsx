const isMac = /Mac|iPhone|iPad/.test(navigator.userAgent)
const names: Readonly<Record<string, string>> = { enter: '↵', escape: 'Esc', arrowdown: '↓', arrowup: '↑' }

/** A key as it is written on keyboards. */
export function KeyName({ keys }: { readonly keys: string }) {
  return (
    <span className="key-name">
      {keys.split(' ').map((key) => (
        <kbd key={key}>
          {key.startsWith('mod+') ? (isMac ? '⌘' : 'Ctrl ') : ''}
          {names[key] ?? key.replace('mod+', '').toUpperCase()}
        </kbd>
      ))}
    </span>
  )
}
