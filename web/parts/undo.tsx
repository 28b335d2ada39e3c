import { Button } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import i18next from 'i18next'

const shownMs = 8000
let last: { readonly id: string; readonly undo: () => void } | undefined

/** The name of the button that takes a message away. */
export const closeButton = () => ({ 'aria-label': i18next.t('parts.close') })

/** Says what was done, and takes it back on a click or with Z. */
export function offerUndo(message: string, label: string, undo: () => void, forMs = shownMs): void {
  const id = crypto.randomUUID()
  last = { id, undo }
  notifications.show({
    id,
    autoClose: forMs,
    withBorder: true,
    closeButtonProps: closeButton(),
    message: (
      <span className="undo">
        {message}
        <Button size="compact-sm" variant="subtle" onClick={undoLast}>
          {label}
        </Button>
      </span>
    ),
    onClose: () => {
      if (last?.id === id) last = undefined
    },
  })
}

/** Says what happened, for as long as it takes to read it. */
export const tell = (message: string): void => {
  notifications.show({ message, autoClose: shownMs, withBorder: true, closeButtonProps: closeButton() })
}

/** Takes the last change back, while its message is shown. */
export function undoLast(): void {
  const current = last
  last = undefined
  if (!current) return
  notifications.hide(current.id)
  current.undo()
}
