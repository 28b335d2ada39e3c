import { Button } from '@mantine/core'
import Search from 'lucide-react/icons/search'
import { useTranslation } from 'react-i18next'
import { KeyName } from '../parts/key-name.tsx'
import { openPalette } from './overlays.tsx'

export function PaletteButton() {
  const { t } = useTranslation()
  return (
    <Button
      className="palette-button"
      variant="default"
      size="sm"
      leftSection={<Search size={16} />}
      rightSection={<KeyName keys="mod+k" />}
      onClick={openPalette}
    >
      <span className="palette-button-text">{t('palette.placeholder')}</span>
    </Button>
  )
}
