import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import type { Mode } from './draft.ts'

interface ModePickerProps {
  readonly modes: readonly Mode[]
  /** Undefined while it is not known yet. */
  readonly mode: Mode | undefined
  readonly onChoose: (mode: Mode) => void
}

/** How something is written: to whom it goes, and who sees it. */
export function ModePicker({ modes, mode, onChoose }: ModePickerProps) {
  const { t } = useTranslation()
  const group = useId()
  return (
    <div className="mode-picker" role="radiogroup" aria-label={t('composer.how')}>
      {modes.map((one) => (
        <label key={one} className={one === mode ? `mode is-${one} is-chosen` : `mode is-${one}`}>
          <input
            type="radio"
            className="visually-hidden"
            name={group}
            checked={one === mode}
            onChange={() => onChoose(one)}
          />
          {t(`composer.mode_${one}`)}
        </label>
      ))}
    </div>
  )
}
