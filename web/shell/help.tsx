import { Modal } from '@mantine/core'
import { useSyncExternalStore } from 'react'
import { useTranslation } from 'react-i18next'
import { useKeys, useRegisteredKeys } from '../keyboard/keyboard.tsx'
import { KeyName } from '../parts/key-name.tsx'

let isOpen = false
const listeners = new Set<() => void>()

function show(open: boolean): void {
  isOpen = open
  for (const listener of listeners) listener()
}

/** Shows which keys work on this screen. */
export const openHelp = (): void => show(true)

/** The list of all keys. `?` opens it. */
export function Help() {
  const { t } = useTranslation()
  const opened = useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => isOpen,
  )
  useKeys([{ keys: '?', label: t('shell.keys'), run: openHelp }])
  const keys = useRegisteredKeys()
  return (
    <Modal
      opened={opened}
      onClose={() => show(false)}
      title={t('shell.keys')}
      closeButtonProps={{ 'aria-label': t('parts.close') }}
    >
      <dl className="keys">
        {keys.map((one) => (
          <div key={one.keys + one.label}>
            <dt>
              <KeyName keys={one.keys} />
            </dt>
            <dd>{one.label}</dd>
          </div>
        ))}
      </dl>
    </Modal>
  )
}
