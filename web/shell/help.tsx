import { Modal } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useRegisteredKeys } from '../keyboard/keyboard.tsx'
import { KeyName } from '../parts/key-name.tsx'

/** The list of all keys that work now. */
export default function Help({ onClose }: { readonly onClose: () => void }) {
  const { t } = useTranslation()
  const keys = useRegisteredKeys()
  return (
    <Modal opened onClose={onClose} title={t('shell.keys')} closeButtonProps={{ 'aria-label': t('parts.close') }}>
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
