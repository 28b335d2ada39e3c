import { Checkbox, TextInput } from '@mantine/core'
import Lock from 'lucide-react/icons/lock'
import { useTranslation } from 'react-i18next'
import { fieldErrorsOf } from '../../api/failures.ts'
import { Moment } from '../../parts/time.tsx'
import type { ComposerPart } from './composer-foot.tsx'
import type { Passable } from './passable.ts'

/** To whom outside something is forwarded, and which messages. */
export default function ForwardHead({ composer }: ComposerPart) {
  const { t } = useTranslation()
  const { draft, change, passable, messages, comments, refusal } = composer
  const errors = fieldErrorsOf(refusal)
  const wrong = Object.entries(errors).find(([name]) => /^(message|comment)_ids/.test(name))?.[1]
  const isChosen = ({ kind, id }: Passable): boolean => (kind === 'message' ? messages : comments).includes(id)
  const toggle = (one: Passable): void => {
    const { kind, id } = one
    const before = kind === 'message' ? messages : comments
    const after = isChosen(one) ? before.filter((other) => other !== id) : [...before, id]
    change(kind === 'message' ? { messages: after } : { messages, comments: after })
  }
  return (
    <div className="forward-head">
      <TextInput
        size="xs"
        type="email"
        label={t('composer.toLabel')}
        placeholder={t('composer.forwardTo')}
        value={draft.to ?? ''}
        error={errors['to']}
        onChange={(event) => change({ to: event.currentTarget.value })}
      />
      <fieldset className="forward-messages">
        <legend className="small">{t('composer.forwarded')}</legend>
        {passable.map((one) => (
          <Checkbox
            key={`${one.kind} ${one.id}`}
            size="xs"
            checked={isChosen(one)}
            onChange={() => toggle(one)}
            label={
              <>
                {one.isInternal && <Lock size={12} aria-label={t('composer.mode_note')} />} <b>{one.who}</b>{' '}
                <Moment at={one.at} short /> – {one.text}
              </>
            }
          />
        ))}
        {wrong && (
          <p className="problem small" role="alert">
            {wrong}
          </p>
        )}
      </fieldset>
    </div>
  )
}
