import { Button, Menu } from '@mantine/core'
import Zap from 'lucide-react/icons/zap'
import { useTranslation } from 'react-i18next'
import type { Macro } from '../api/macros.ts'

interface MacroMenuProps {
  readonly macros: readonly Macro[]
  readonly size: 'sm' | 'compact-sm'
  readonly isRunning?: boolean
  readonly onChoose: (macro: Macro) => void
}

/** The macros that can be run here; nothing where there are none. */
export function MacroMenu({ macros, size, isRunning = false, onChoose }: MacroMenuProps) {
  const { t } = useTranslation()
  if (macros.length === 0) return null
  return (
    <Menu position="bottom-start">
      <Menu.Target>
        <Button size={size} variant="default" leftSection={<Zap size={14} aria-hidden />} loading={isRunning}>
          {t('macros.title')}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {macros.map((macro) => (
          <Menu.Item key={macro.id} onClick={() => onChoose(macro)}>
            {macro.name}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}
